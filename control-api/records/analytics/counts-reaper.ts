import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../../database/open.ts";
import { every, type JobHandler } from "../../jobs/job-kind.ts";

const HOUR_MS = 3_600_000;
const KEPT_MS = 400 * 24 * HOUR_MS;

interface ReaperDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Keeps counts of calls for a year and a month. */
export function countsReaper({ database, clock }: ReaperDeps): JobHandler {
  return every(HOUR_MS, "delete_old_counts", async () => {
    const before = new Date(clock.wallMs() - KEPT_MS);
    await database.db.deleteFrom("call_counts").where("quarter", "<", before).execute();
    await database.db.deleteFrom("response_counts").where("quarter", "<", before).execute();
    await database.db.deleteFrom("call_tallies").where("quarter", "<", before).execute();
  });
}
