import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import {
  type CallStatus,
  type Decided,
  settled,
  stateOf,
  statusesBefore,
  statusOf,
} from "@parley/shared/contracts/call-status.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { lastOf, recordset } from "../rows.ts";

type Trx = Kysely<Tables>;
type Started = Extract<CallEvent, { type: "call.started" }>;
type Ended = Extract<CallEvent, { type: "call.ended" }>;

const BEFORE_LIVE = statusesBefore("goes live");
const LIVE = statusOf("in-progress");

/** What a batch needs to know of a call, kept current while its events are applied. */
export interface CallRow {
  readonly id: string;
  status: CallStatus;
  startedAt: Date | null;
  endedAt: Date | null;
  readonly contentDeletedAt: Date | null;
  readonly agentId: string | null;
  readonly channel: string;
  readonly createdAt: Date;
}

/**
 * Locks the calls of these sessions against other event projectors and deletions until the transaction ends. Always
 * locks in the same order, so that two transactions never deadlock.
 */
export async function lockCalls(trx: Trx, sessionIds: readonly string[]): Promise<Map<string, CallRow>> {
  const rows = await trx
    .selectFrom("calls")
    .select([
      "id",
      "session_id as sessionId",
      "status",
      "started_at as startedAt",
      "ended_at as endedAt",
      "content_deleted_at as contentDeletedAt",
      "agent_id as agentId",
      "channel",
      "created_at as createdAt",
    ])
    .where("session_id", "in", [...sessionIds])
    .orderBy("session_id")
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map(({ sessionId, ...row }) => [sessionId, row]));
}

/** Marks calls as live, in the database and in `calls`. */
export async function writeStarts(
  trx: Trx,
  events: readonly Started[],
  calls: ReadonlyMap<string, CallRow>,
): Promise<void> {
  if (events.length === 0) return;
  for (const { sessionId, at } of events) {
    const call = calls.get(sessionId);
    if (!call) continue;
    call.startedAt = new Date(at);
    if (call.endedAt === null && BEFORE_LIVE.includes(call.status)) call.status = LIVE;
  }
  const told = lastOf(events, ({ sessionId }) => sessionId).map(({ sessionId, at, nodeId, callSid }) => ({
    session_id: sessionId,
    at,
    node_id: nodeId,
    call_sid: callSid ?? null,
  }));
  await trx
    .updateTable("calls")
    .from(
      recordset<{ session_id: string }>(
        told,
        sql`session_id text, at timestamptz, node_id text, call_sid text`,
      ),
    )
    .set({
      started_at: sql<Date>`told.at`,
      node_id: sql<string>`told.node_id`,
      call_sid: callSid(),
      // An end that was written first stays.
      status: sql<
        Decided<CallStatus>
      >`case when ended_at is null and status in (${sql.join(BEFORE_LIVE)}) then ${LIVE} else status end`,
      duration_secs: sql<number>`coalesce(duration_secs, ${secondsBetween(sql`told.at`, sql`ended_at`)})`,
    })
    .whereRef("calls.session_id", "=", "told.session_id")
    .execute();
}

/** Ends as they are stored: whoever reported one may not have known that the call had gone live. A call ends once. */
export function settleEnds(events: readonly Ended[], calls: ReadonlyMap<string, CallRow>): Ended[] {
  return events.flatMap((told) => {
    const call = calls.get(told.sessionId);
    if (!call) return [told];
    if (call.endedAt !== null) return [];
    call.endedAt = new Date(told.at);
    return [{ ...told, ...settled(stateOf(call), told) }];
  });
}

export async function writeEnds(trx: Trx, events: readonly Ended[]): Promise<void> {
  if (events.length === 0) return;
  const told = lastOf(events, ({ sessionId }) => sessionId).map((event) => ({
    session_id: event.sessionId,
    at: event.at,
    status: event.status,
    reason: event.reason,
    secs: event.durationSecs ?? null,
  }));
  await trx
    .updateTable("calls")
    .from(
      recordset<{ session_id: string }>(
        told,
        sql`session_id text, at timestamptz, status text, reason text, secs integer`,
      ),
    )
    .set({
      ended_at: sql<Date>`told.at`,
      status: sql<Decided<CallStatus>>`told.status`,
      end_reason: sql<string>`told.reason`,
      // The holder's own duration is immune to clock changes during the call.
      duration_secs: sql<number>`coalesce(told.secs, ${secondsBetween(sql`started_at`, sql`told.at`)})`,
    })
    .whereRef("calls.session_id", "=", "told.session_id")
    .execute();
}

/** The dialer may have died before storing the leg's id. A leg has one call, whatever a media socket says. */
function callSid(): RawBuilder<string | null> {
  const isTaken = sql`exists (select 1 from calls as one where one.carrier = calls.carrier and one.call_sid = told.call_sid)`;
  return sql<
    string | null
  >`case when calls.call_sid is null and not ${isTaken} then told.call_sid else calls.call_sid end`;
}

/** Whole seconds, never negative; null while either time is missing. */
function secondsBetween(from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<number> {
  const seconds = sql`floor(extract(epoch from (${to} - ${from})))`;
  return sql<number>`case when ${seconds} < 0 then 0 else ${seconds}::int end`;
}
