import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../database/open.ts";
import { every, type JobHandler } from "../jobs/job-kind.ts";
import { deleteOldDeliveries } from "./delivery-store.ts";
import { deleteRemovedEndpoints } from "./endpoint-store.ts";
import { deleteGoneListeners } from "./listener-store.ts";
import { deleteExpiredClaims } from "./queue-store.ts";

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

export interface ReaperDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** APP_RETENTION_DAYS; 0 keeps all deliveries. */
  readonly retentionDays: number;
}

/** Deletes old finished deliveries, abandoned listeners, and removed endpoints whose legal hold has ended. */
export function webhooksReaper(deps: ReaperDeps): JobHandler {
  return every(EVERY_MS, "delete_old_deliveries", () => reap(deps));
}

export async function reap({ database, clock, log, retentionDays }: ReaperDeps): Promise<void> {
  const nowMs = clock.wallMs();
  await deleteGoneListeners(database, new Date(nowMs)).catch((error: unknown) => {
    log.warn(
      { event: "listeners_cleanup_failed", err: messageOf(error) },
      "failed to delete listeners that are gone",
    );
  });
  await deleteRemovedEndpoints(database).catch((error: unknown) => {
    log.warn(
      { event: "webhooks_cleanup_failed", err: messageOf(error) },
      "failed to delete removed webhooks",
    );
  });
  await deleteExpiredClaims(database, new Date(nowMs)).catch((error: unknown) => {
    log.warn(
      { event: "webhook_claims_cleanup_failed", err: messageOf(error) },
      "failed to delete claims whose lease is over",
    );
  });
  if (retentionDays === 0) return;
  await deleteOldDeliveries(database, new Date(nowMs - retentionDays * DAY_MS)).catch((error: unknown) => {
    log.warn(
      { event: "deliveries_cleanup_failed", err: messageOf(error) },
      "failed to delete old webhook deliveries",
    );
  });
}
