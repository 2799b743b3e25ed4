import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../database/open.ts";
import { every, type JobHandler } from "../jobs/job-kind.ts";

const EVERY_MS = 10 * 60_000;
/** Kept for a day after they ended, for investigations. */
const KEEP_MS = 86_400_000;

export interface DeleteEndedDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A district's cleanup job: deletes long-ended credentials, counts and answers, to keep their tables small. */
export function deleteEnded(
  district: string,
  deletions: readonly ((database: Database, before: Date) => Promise<void>)[],
  { database, clock, log }: DeleteEndedDeps,
): JobHandler {
  return every(EVERY_MS, `delete_ended_${district}`, async () => {
    const before = new Date(clock.wallMs() - KEEP_MS);
    for (const deleteOld of deletions) {
      await deleteOld(database, before).catch((error: unknown) => {
        log.warn(
          { event: "credentials_cleanup_failed", err: messageOf(error) },
          "failed to delete old credentials",
        );
      });
    }
  });
}
