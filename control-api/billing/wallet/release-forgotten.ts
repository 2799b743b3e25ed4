import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../../database/open.ts";
import { every, type JobHandler } from "../../jobs/job-kind.ts";
import { lockAccount } from "./account-store.ts";
import { findForgotten } from "./billed-calls.ts";
import { releaseHold } from "./charge.ts";

const EVERY_MS = 10 * 60_000;
/** A call's end is normally handled long before. */
const FORGOTTEN_MS = 60 * 60_000;

/** Returns holds of calls whose end is never reported, such as a deleted chat whose first message failed. */
export function releasesForgotten({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): JobHandler {
  return every(EVERY_MS, "release_forgotten_holds", async (signal) => {
    const now = new Date(clock.wallMs());
    for (const { sessionId, orgId } of await findForgotten(
      database.db,
      new Date(now.getTime() - FORGOTTEN_MS),
    )) {
      if (signal.aborted) return;
      await database.db.transaction().execute(async (trx) => {
        await lockAccount(trx, orgId, now);
        await releaseHold(trx, { orgId, sessionId, now });
      });
    }
  });
}
