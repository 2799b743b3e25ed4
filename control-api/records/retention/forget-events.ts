import type { Clock } from "@parley/shared/clock.ts";
import { type Kysely, sql } from "kysely";
import { tryExclusively } from "../../database/exclusively.ts";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { every, type JobHandler } from "../../jobs/job-kind.ts";
import { RECOGNIZED_MS } from "../call-rows/forgotten.ts";

const HOUR_MS = 3_600_000;
/** For event projectors whose clocks are behind, which still recognize events. */
const CLOCKS_APART_MS = 24 * HOUR_MS;
/** Calls per transaction, each with some thirty events. */
const TOGETHER = 100;

interface ForgetDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** A call's place in the order in which contents were deleted. */
interface Place {
  /** As Postgres writes it, to the microsecond. */
  readonly at: string;
  readonly sessionId: string;
}

/**
 * Deletes what is left of the events of calls whose content was deleted: ids, kept to recognize an event that comes again.
 * By then nothing that comes for these calls is recorded (`isForgotten`).
 */
export function forgetsEvents(deps: ForgetDeps): JobHandler {
  return every(HOUR_MS, "forget_events_of_deleted_calls", async (signal) => {
    await forgetEvents(deps, () => !signal.aborted);
  });
}

export async function forgetEvents({ database, clock }: ForgetDeps, goesOn = () => true): Promise<void> {
  const before = new Date(clock.wallMs() - RECOGNIZED_MS - CLOCKS_APART_MS);
  await tryExclusively(database, "forget-events", async () => {
    while (goesOn() && (await forgetNext(database, before)));
  });
}

/** Returns whether there may be more. */
async function forgetNext({ db }: Database, before: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const calls = await nextCalls(trx, before);
    const last = calls.at(-1);
    if (!last) return false;
    const sessionIds = calls.map(({ sessionId }) => sessionId);
    await trx.deleteFrom("call_events").where("session_id", "in", sessionIds).execute();
    await moveTo(trx, last);
    return calls.length === TOGETHER;
  });
}

/** The next calls after the last place. A call whose content is deleted has ended, or its events are kept (`isForgotten`). */
async function nextCalls(trx: Kysely<Tables>, before: Date): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select content_deleted_at::text as at, session_id as "sessionId" from calls
    where content_deleted_at < ${before}
      and (content_deleted_at, session_id) > (
        select coalesce(max(content_deleted_at), '-infinity'), coalesce(max(session_id), '') from forgotten_events
      )
    order by content_deleted_at, session_id limit ${TOGETHER}`.execute(trx);
  return rows;
}

async function moveTo(trx: Kysely<Tables>, { at, sessionId }: Place): Promise<void> {
  await sql`
    insert into forgotten_events (id, content_deleted_at, session_id) values (1, ${at}::timestamptz, ${sessionId})
    on conflict (id) do update set content_deleted_at = excluded.content_deleted_at, session_id = excluded.session_id`.execute(
    trx,
  );
}
