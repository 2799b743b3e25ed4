import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { deleteOldDeliveries } from "./delivery-store.ts";

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

export interface ReaperDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** APP_RETENTION_DAYS; 0 keeps everything. */
  readonly retentionDays: number;
}

/** Deletes deliveries that are over and old; gives what stops it. */
export function startReaper(deps: ReaperDeps): () => void {
  if (deps.retentionDays === 0) return () => undefined;
  return deps.clock.every(EVERY_MS, () => void reap(deps));
}

export async function reap({ database, clock, log, retentionDays }: ReaperDeps): Promise<void> {
  const before = new Date(clock.wallMs() - retentionDays * DAY_MS);
  await deleteOldDeliveries(database, before).catch((error: unknown) => {
    log.warn({ err: messageOf(error) }, "old webhook deliveries were not deleted");
  });
}
