import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import type { Recorded } from "./subscription.ts";

type Trx = Kysely<Tables>;

/** A process that holds a cursor idle for this long loses it: Postgres ends its transaction. */
const LEASE_MS = 15_000;
/** How long to wait for a cursor or a locked row. */
const LOCK_WAIT_MS = 3_000;

/**
 * Assigns recorded events their positions. Must be the last statement of its transaction: the head stays locked until
 * the commit, so that positions become visible in order. Returns the last one; they have no gaps.
 */
export async function appendToFeed(
  trx: Trx,
  events: readonly Pick<CallEvent, "id" | "type">[],
  recordedAt: Date,
): Promise<number> {
  if (events.length === 0) return 0;
  const ids = events.map(({ id }) => id);
  const types = events.map(({ type }) => type);
  const { rows } = await sql<{ position: number }>`
    with head as (
      insert into event_feed_head (id, position) values (1, ${events.length})
      on conflict (id) do update set position = event_feed_head.position + excluded.position
      returning position
    ), appended as (
      insert into event_feed (position, event_id, type, recorded_at)
      select head.position - ${events.length} + told.nr, told.id, told.type, ${recordedAt}
      from head, unnest(${ids}::text[], ${types}::text[]) with ordinality as told (id, type, nr)
    )
    select position::float8 as position from head`.execute(trx);
  return rows[0]?.position ?? 0;
}

/** New cursors start at the head: earlier events are not delivered. */
export async function ensureCursors({ db }: Database, names: readonly string[]): Promise<void> {
  await sql`
    insert into event_cursors (name, position)
    select asked.name, coalesce((select position from event_feed_head), 0) from unnest(${names}::text[]) as asked (name)
    on conflict (name) do nothing`.execute(db);
}

/** The number of recorded events after each cursor, by name. */
export async function readLags({ db }: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; lag: number }>`
    select name, (coalesce((select position from event_feed_head), 0) - position)::float8 as lag from event_cursors`.execute(
    db,
  );
  return new Map(rows.map(({ name, lag }) => [name, Math.max(0, lag)]));
}

export interface Cursor {
  readonly position: number;
  /** Everything up to here is visible. */
  readonly head: number;
}

/** Locks a cursor until the transaction ends, waiting for its current holder; throws if that takes too long. */
export async function lockCursor(trx: Trx, name: string): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    with bounded as materialized (
      select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true),
        set_config('idle_in_transaction_session_timeout', ${String(LEASE_MS)}, true)
    )
    select position::float8 as position, coalesce((select position from event_feed_head), 0)::float8 as head
    from bounded, event_cursors where name = ${name} for update of event_cursors`.execute(trx);
  const [cursor] = rows;
  if (!cursor) throw new Error(`the subscription ${name} has no cursor`);
  return cursor;
}

export interface Next {
  readonly events: readonly Recorded[];
  /** The cursor's position after these events. */
  readonly position: number;
  /** More events may follow. */
  readonly isFull: boolean;
}

export interface Wanted {
  readonly types: readonly string[];
  readonly limit: number;
  /** Events that are known, by position: their bodies are not read again. */
  readonly known: ReadonlyMap<number, CallEvent>;
}

/** The next wanted events after a cursor; skips erased ones. */
export async function readNext(
  trx: Trx,
  { position, head }: Cursor,
  { types, limit, known }: Wanted,
): Promise<Next> {
  const { rows } = await sql<Row>`
    select feed.position::float8 as position, feed.event_id as id, feed.recorded_at as "recordedAt",
      case when feed.position = any(string_to_array(${[...known.keys()].join(" ")}, ' ')::bigint[]) and told.body <> '{}'
        then null else told.body end as body
    from event_feed feed join call_events told on told.id = feed.event_id
    where feed.position > ${position} and feed.type = any(${types}::text[])
    order by feed.position limit ${limit}`.execute(trx);
  const last = rows.at(-1)?.position ?? position;
  const events: Recorded[] = [];
  for (const row of rows) {
    const event = row.body === null ? await knownOf(trx, row, known) : eventOf(row.body);
    if (event) events.push({ event, recordedAt: row.recordedAt });
  }
  return {
    events,
    position: rows.length < limit ? Math.max(head, last) : last,
    isFull: rows.length === limit,
  };
}

interface Row {
  readonly position: number;
  readonly id: string;
  readonly recordedAt: Date;
  /** Null if the event is known. */
  readonly body: CallEvent | object | null;
}

/** Positions begin anew in a database that was emptied, or restored from a copy: what is known by one may be another event. */
async function knownOf(
  trx: Trx,
  { position, id }: Row,
  known: Wanted["known"],
): Promise<CallEvent | undefined> {
  const event = known.get(position);
  return event?.id === id ? event : readRecorded(trx, id);
}

/** Of an erased event only an empty body is left. */
function eventOf(body: CallEvent | object): CallEvent | undefined {
  return "type" in body ? body : undefined;
}

export async function moveCursor(trx: Trx, name: string, position: number): Promise<void> {
  await trx
    .updateTable("event_cursors")
    .set({ position: String(position) })
    .where("name", "=", name)
    .execute();
}

/** An event to handle again, unless it was erased. */
export async function readRecorded(trx: Trx, eventId: string): Promise<CallEvent | undefined> {
  const row = await trx.selectFrom("call_events").select("body").where("id", "=", eventId).executeTakeFirst();
  return row && eventOf(row.body as CallEvent | object);
}

/** Deletes events that every cursor has passed. */
export async function deletePassed({ db }: Database): Promise<void> {
  await sql`delete from event_feed where position <= (select min(position) from event_cursors)`.execute(db);
}
