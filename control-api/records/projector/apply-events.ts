import { type CallEvent, CONTENT_EVENTS, FIRST_UNCOUNTED_SEQ } from "@parley/shared/contracts/call-events.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { countCalls } from "../analytics/count-calls.ts";
import { isForgotten } from "../call-rows/forgotten.ts";
import { lockCalls, settleEnds, writeEnds, writeStarts } from "../call-rows/starts-and-ends.ts";
import { firstOf, recordset } from "../rows.ts";
import { ofType, project, projectRecordings } from "./projection.ts";

type Trx = Kysely<Tables>;
type Ended = Extract<CallEvent, { type: "call.ended" }>;

/** When to write an end: `complete`, once everything its holder reported before is written; `now`; `later`, not yet. */
export type EndRule = "complete" | "now" | "later";

export interface Applied {
  /** The new events, as written. */
  readonly recorded: readonly CallEvent[];
  /** Ends not written yet, because an earlier event is missing. */
  readonly waiting: readonly CallEvent[];
}

/**
 * Writes events and what follows from them for their calls' records, with one statement per table. Known events, further
 * ends of ended calls, and events of forgotten calls change nothing. A session's events may come in any order; the rule
 * says when its end is written.
 */
export async function applyEvents(
  trx: Trx,
  told: readonly CallEvent[],
  { now, ruleOf = () => "now" }: { now: Date; ruleOf?: (end: Ended) => EndRule },
): Promise<Applied> {
  const calls = await lockCalls(trx, [...new Set(told.map(({ sessionId }) => sessionId))]);
  const [late, events] = partition(inOrder(told), ({ sessionId }) => isForgotten(calls.get(sessionId), now));
  // The reaper deletes a file that turns up, however late.
  await projectRecordings(trx, late, () => true);
  const isErased = ({ type, sessionId }: CallEvent): boolean =>
    CONTENT_EVENTS.has(type) && calls.get(sessionId)?.contentDeletedAt != null;
  const body = await insertNew(
    trx,
    events.filter(({ type }) => type !== "call.ended"),
    isErased,
  );
  const recorded = body.filter((event) => !isErased(event));
  await writeStarts(trx, ofType(recorded, "call.started"), calls);
  await project(trx, recorded);
  await projectRecordings(trx, body, isErased);
  const { due, waiting } = await sortEnds(trx, ofType(events, "call.ended"), ruleOf);
  const ends = await insertNew(trx, settleEnds(due, calls), isErased);
  await writeEnds(trx, ofType(ends, "call.ended"));
  await countCalls(trx, [...recorded, ...ends], calls);
  return { recorded: [...recorded, ...ends], waiting };
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [first: T[], others: T[]] {
  const { first = [], others = [] } = Object.groupBy(all, (one) => (isFirst(one) ? "first" : "others"));
  return [first, others];
}

/**
 * In session order, so that two event projectors lock the same events in the same order; each id once, as it was told
 * first: a carrier that reports a machine tells of the call's end, too, before the first end is recorded.
 */
function inOrder(events: readonly CallEvent[]): CallEvent[] {
  return firstOf(events, ({ id }) => id).toSorted(
    (one, other) =>
      compare(one.sessionId, other.sessionId) || one.seq - other.seq || compare(one.id, other.id),
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Returns the events that were new. */
async function insertNew(
  trx: Trx,
  events: readonly CallEvent[],
  isErased: (event: CallEvent) => boolean,
): Promise<CallEvent[]> {
  if (events.length === 0) return [];
  const rows = events.map((event) => {
    const { id, sessionId, orgId, seq, type, at } = event;
    const body = isErased(event) ? "{}" : JSON.stringify(event);
    return { id, session_id: sessionId, org_id: orgId, seq, type, at, body };
  });
  // One parameter, whatever the number of rows: binding thousands costs more than inserting them.
  const { rows: inserted } = await sql<{ id: string }>`
    insert into call_events (id, session_id, org_id, seq, type, at, body)
    select told.id, told.session_id, told.org_id, told.seq, told.type, told.at, told.body::jsonb
    from ${recordset(rows, sql`id text, session_id text, org_id text, seq integer, type text, at timestamptz, body text`)}
    on conflict (id) do nothing returning id`.execute(trx);
  const isNew = new Set(inserted.map(({ id }) => id));
  return events.filter(({ id }) => isNew.has(id));
}

/** A waiting end makes later ends of its session wait, too. */
async function sortEnds(
  trx: Trx,
  ends: readonly Ended[],
  ruleOf: (end: Ended) => EndRule,
): Promise<{ due: Ended[]; waiting: Ended[] }> {
  const ruled = ends.map((end) => ({ end, rule: ruleOf(end) }));
  const counted = ruled
    .filter(({ end, rule }) => rule === "complete" && isCounted(end))
    .map(({ end }) => end);
  const complete = await findComplete(trx, counted);
  const stopped = new Set<string>();
  const due: Ended[] = [];
  const waiting: Ended[] = [];
  for (const { end, rule } of ruled) {
    const mayBeWritten = rule === "now" || (rule === "complete" && (!isCounted(end) || complete.has(end.id)));
    if (mayBeWritten && !stopped.has(end.sessionId)) due.push(end);
    else {
      stopped.add(end.sessionId);
      waiting.push(end);
    }
  }
  return { due, waiting };
}

/** Whether the event's `seq` counts the events before it. */
export function isCounted({ seq }: CallEvent): boolean {
  return seq < FIRST_UNCOUNTED_SEQ;
}

/** The ids of ends with no earlier event missing. */
async function findComplete(trx: Trx, ends: readonly Ended[]): Promise<Set<string>> {
  const asked = ends.filter(({ seq }) => seq > 0);
  const complete = new Set(ends.filter(({ seq }) => seq === 0).map(({ id }) => id));
  if (asked.length === 0) return complete;
  const rows = asked.map(({ id, sessionId, seq }) => ({ id, session_id: sessionId, seq }));
  const { rows: found } = await sql<{ id: string }>`
    select told.id from ${recordset(rows, sql`id text, session_id text, seq integer`)}
    where told.seq = (
      select count(distinct e.seq) from call_events e
      where e.session_id = told.session_id and e.seq < told.seq
    )`.execute(trx);
  for (const { id } of found) complete.add(id);
  return complete;
}
