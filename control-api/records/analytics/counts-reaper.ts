import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../../database/open.ts";
import { every, type JobHandler } from "../../jobs/job-kind.ts";

const HOUR_MS = 3_600_000;
export const COUNTS_KEPT_MS = 400 * 24 * HOUR_MS;

interface ReaperDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Keeps call counts for a year and a month. */
export function countsReaper({ database, clock }: ReaperDeps): JobHandler {
  return every(HOUR_MS, "delete_old_counts", async () => {
    const before = new Date(clock.wallMs() - COUNTS_KEPT_MS);
    await database.db.deleteFrom("call_counts").where("quarter", "<", before).execute();
    await database.db.deleteFrom("response_counts").where("quarter", "<", before).execute();
    await database.db.deleteFrom("call_tallies").where("quarter", "<", before).execute();
    // A partly deleted day would no longer match its roll-up, so it stops counting as rolled up.
    await database.db.deleteFrom("rolled_days").where("day", "<", before).execute();
    await database.db.deleteFrom("late_days").where("day", "<", before).execute();
    await database.db.deleteFrom("call_figures").where("at", "<", before).execute();
    await database.db.deleteFrom("word_figures").where("day", "<", before).execute();
  });
}
