import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import type { Recorded } from "./subscription.ts";

type Trx = Kysely<Tables>;

/** A process that has a cursor and does nothing with it for so long loses it: Postgres ends its transaction. */
const LEASE_MS = 15_000;
/** How long to wait for a cursor, or a row that others have locked. */
const LOCK_WAIT_MS = 3_000;

/**
 * Gives recorded events their positions. The head stays locked until the commit, so that positions become visible in their
 * order: the last statement of a transaction.
 */
export async function appendToFeed(
  trx: Trx,
  events: readonly Pick<CallEvent, "id" | "type">[],
  recordedAt: Date,
): Promise<void> {
  if (events.length === 0) return;
  const ids = events.map(({ id }) => id);
  const types = events.map(({ type }) => type);
  await sql`
    with head as (
      insert into event_feed_head (id, position) values (1, ${events.length})
      on conflict (id) do update set position = event_feed_head.position + excluded.position
      returning position
    )
    insert into event_feed (position, event_id, type, recorded_at)
    select head.position - ${events.length} + told.nr, told.id, told.type, ${recordedAt}
    from head, unnest(${ids}::text[], ${types}::text[]) with ordinality as told (id, type, nr)`.execute(trx);
}

/** Cursors that are not there begin at the head: what was recorded before is not told. */
export async function ensureCursors({ db }: Database, names: readonly string[]): Promise<void> {
  await sql`
    insert into event_cursors (name, position)
    select asked.name, coalesce((select position from event_feed_head), 0) from unnest(${names}::text[]) as asked (name)
    on conflict (name) do nothing`.execute(db);
}

/** Events that are recorded behind each cursor, by its name. */
export async function readLags({ db }: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; lag: number }>`
    select name, (coalesce((select position from event_feed_head), 0) - position)::float8 as lag from event_cursors`.execute(
    db,
  );
  return new Map(rows.map(({ name, lag }) => [name, Math.max(0, lag)]));
}

export interface Cursor {
  readonly position: number;
  /** Everything up to here can be seen. */
  readonly head: number;
}

/** Takes a cursor until the end of the transaction, after whoever has it; throws where that takes too long. */
export async function lockCursor(trx: Trx, name: string): Promise<Cursor> {
  await sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true),
    set_config('idle_in_transaction_session_timeout', ${String(LEASE_MS)}, true)`.execute(trx);
  const { rows } = await sql<Cursor>`
    select position::float8 as position, coalesce((select position from event_feed_head), 0)::float8 as head
    from event_cursors where name = ${name} for update`.execute(trx);
  const [cursor] = rows;
  if (!cursor) throw new Error(`the subscription ${name} has no cursor`);
  return cursor;
}

export interface Next {
  readonly events: readonly Recorded[];
  /** Where the cursor is once they are done. */
  readonly position: number;
  /** There may be more behind them. */
  readonly isFull: boolean;
}

/** The next events behind a cursor, of those that are wanted; erased ones are passed over. */
export async function readNext(
  trx: Trx,
  { position, head }: Cursor,
  { types, limit }: { readonly types: readonly string[]; readonly limit: number },
): Promise<Next> {
  const { rows } = await sql<{ position: number; recordedAt: Date; body: CallEvent | object }>`
    select feed.position::float8 as position, feed.recorded_at as "recordedAt", told.body
    from event_feed feed join call_events told on told.id = feed.event_id
    where feed.position > ${position} and feed.type = any(${types}::text[])
    order by feed.position limit ${limit}`.execute(trx);
  const last = rows.at(-1)?.position ?? position;
  return {
    events: rows.flatMap(({ body, recordedAt }) => ("type" in body ? [{ event: body, recordedAt }] : [])),
    position: rows.length < limit ? Math.max(head, last) : last,
    isFull: rows.length === limit,
  };
}

export async function moveCursor(trx: Trx, name: string, position: number): Promise<void> {
  await trx
    .updateTable("event_cursors")
    .set({ position: String(position) })
    .where("name", "=", name)
    .execute();
}

/** An event that is told once more, unless it was erased. */
export async function readRecorded(trx: Trx, eventId: string): Promise<CallEvent | undefined> {
  const row = await trx.selectFrom("call_events").select("body").where("id", "=", eventId).executeTakeFirst();
  const body = row?.body as CallEvent | object | undefined;
  return body && "type" in body ? body : undefined;
}

/** Deletes what every cursor has passed. */
export async function deletePassed({ db }: Database): Promise<void> {
  await sql`delete from event_feed where position <= (select min(position) from event_cursors)`.execute(db);
}
