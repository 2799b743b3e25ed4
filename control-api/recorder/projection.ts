import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import {
  type CallStatus,
  type Decided,
  settled,
  stateOf,
  statusesBefore,
  statusOf,
} from "@parley/shared/contracts/call-life.ts";
import type { Tables } from "@parley/shared/database/tables.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";

type Transaction = Kysely<Tables>;
type EventOf<T extends CallEvent["type"]> = Extract<CallEvent, { type: T }>;

const BEFORE_LIVE = statusesBefore("goes live");
const LIVE = statusOf("in-progress");

/** Events that hold what was said. */
const CONTENT: readonly CallEvent["type"][] = [
  "call.message",
  "call.tool_invoked",
  "call.dtmf",
  "recording.ready",
];

/**
 * Writes one event down: the event itself, and what follows from it for the call's record. False when the
 * event is known already, or is another end of a call that has ended, and nothing was changed. Events of a
 * session may come in any order.
 */
export async function applyEvent(trx: Transaction, told: CallEvent): Promise<boolean> {
  const event = told.type === "call.ended" ? await asItEnded(trx, told) : told;
  if (!event) return false;
  const { id, sessionId, orgId, seq, type, at } = event;
  const isErased = CONTENT.includes(type) && (await isContentDeleted(trx, sessionId));
  const body = isErased ? "{}" : JSON.stringify(event);
  const inserted = await trx
    .insertInto("call_events")
    .values({ id, session_id: sessionId, org_id: orgId, seq, type, at, body })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (Number(inserted.numInsertedOrUpdatedRows ?? 0) === 0) return false;
  if (isErased && event.type !== "recording.ready") return false;
  await project(trx, event);
  if (isErased) await hideRecordings(trx, sessionId, at);
  return !isErased;
}

/** Holds up a deletion that begins now until this event is written. */
async function isContentDeleted(trx: Transaction, sessionId: string): Promise<boolean> {
  const call = await trx
    .selectFrom("calls")
    .select("content_deleted_at")
    .where("session_id", "=", sessionId)
    .forKeyShare()
    .executeTakeFirst();
  return call !== undefined && call.content_deleted_at !== null;
}

/** What came late of a call whose content was deleted: the reaper deletes the file. */
async function hideRecordings(trx: Transaction, sessionId: string, at: string): Promise<void> {
  await trx
    .updateTable("recordings")
    .set({ deleted_at: at })
    .where("session_id", "=", sessionId)
    .where("deleted_at", "is", null)
    .execute();
}

/**
 * A call ends once: a node thought dead may still tell of its own end; undefined then. Whoever told this one may not have
 * known that the call had gone live.
 */
async function asItEnded(
  trx: Transaction,
  told: EventOf<"call.ended">,
): Promise<EventOf<"call.ended"> | undefined> {
  const call = await trx
    .selectFrom("calls")
    .select(["status", "started_at as startedAt", "ended_at as endedAt"])
    .where("session_id", "=", told.sessionId)
    .forUpdate()
    .executeTakeFirst();
  if (!call) return told;
  return call.endedAt === null ? { ...told, ...settled(stateOf(call), told) } : undefined;
}

async function project(trx: Transaction, event: CallEvent): Promise<void> {
  switch (event.type) {
    case "call.started":
      return started(trx, event);
    case "call.message":
      return message(trx, event);
    case "call.turn_metrics":
      return turnMetrics(trx, event);
    case "call.tool_invoked":
      return toolInvoked(trx, event);
    case "recording.ready":
      return recordingReady(trx, event);
    case "call.ended":
      return ended(trx, event);
    case "call.dtmf":
    case "call.transfer_requested":
    case "call.machine_detected":
      return;
  }
}

async function started(trx: Transaction, event: EventOf<"call.started">): Promise<void> {
  await trx
    .updateTable("calls")
    .set({
      started_at: event.at,
      node_id: event.nodeId,
      call_sid: callSidOf(event.callSid ?? null),
      // The end may have been written first; it stays the end.
      status: sql<
        Decided<CallStatus>
      >`case when ended_at is null and status in (${sql.join(BEFORE_LIVE)}) then ${LIVE} else status end`,
      duration_secs: sql<number>`coalesce(duration_secs, ${secondsBetween(sql`${event.at}::timestamptz`, sql`ended_at`)})`,
    })
    .where("session_id", "=", event.sessionId)
    .execute();
}

/** Who dialled may not have lived to write it down. A leg has one call, whatever a media socket says. */
function callSidOf(callSid: string | null): RawBuilder<string | null> {
  const isTaken = sql`exists (select 1 from calls as one where one.carrier = calls.carrier and one.call_sid = ${callSid})`;
  return sql<string | null>`case when call_sid is null and not ${isTaken} then ${callSid} else call_sid end`;
}

async function ended(trx: Transaction, event: EventOf<"call.ended">): Promise<void> {
  await trx
    .updateTable("calls")
    .set({
      ended_at: event.at,
      status: event.status,
      end_reason: event.reason,
      // The holder's own figure does not know about clocks that were set in mid-call.
      duration_secs: event.durationSecs ?? secondsBetween(sql`started_at`, sql`${event.at}::timestamptz`),
    })
    .where("session_id", "=", event.sessionId)
    .execute();
}

/** Whole seconds, never negative; null while one of the two is missing. */
function secondsBetween(from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<number> {
  const seconds = sql`floor(extract(epoch from (${to} - ${from})))`;
  return sql<number>`case when ${seconds} < 0 then 0 else ${seconds}::int end`;
}

async function message(trx: Transaction, event: EventOf<"call.message">): Promise<void> {
  const { id, sessionId, orgId, seq, turn, role, text, interrupted, source, at } = event;
  await trx
    .insertInto("call_messages")
    .values({
      event_id: id,
      session_id: sessionId,
      org_id: orgId,
      seq,
      turn,
      role,
      text,
      interrupted,
      source,
      at,
    })
    .execute();
}

async function turnMetrics(
  trx: Transaction,
  { sessionId, turn, metrics, at }: EventOf<"call.turn_metrics">,
): Promise<void> {
  const figures = {
    end_of_turn_ms: Math.round(metrics.endOfTurnMs),
    brain_first_token_ms: Math.round(metrics.brainFirstTokenMs),
    tts_first_byte_ms: Math.round(metrics.ttsFirstByteMs),
    response_ms: Math.round(metrics.responseMs),
    at,
  };
  await trx
    .insertInto("call_turns")
    .values({ session_id: sessionId, turn, ...figures })
    .onConflict((conflict) => conflict.columns(["session_id", "turn"]).doUpdateSet(figures))
    .execute();
}

async function toolInvoked(trx: Transaction, event: EventOf<"call.tool_invoked">): Promise<void> {
  await trx
    .insertInto("call_tools")
    .values({
      event_id: event.id,
      session_id: event.sessionId,
      org_id: event.orgId,
      turn: event.turn,
      name: event.name,
      arguments: JSON.stringify(event.arguments ?? null),
      result: JSON.stringify(event.result ?? null),
      status: event.status,
      latency_ms: event.latencyMs,
      at: event.at,
    })
    .execute();
}

async function recordingReady(trx: Transaction, event: EventOf<"recording.ready">): Promise<void> {
  await trx
    .insertInto("recordings")
    .values({
      id: event.recordingId,
      session_id: event.sessionId,
      org_id: event.orgId,
      key: event.key,
      duration_ms: event.durationMs,
      size_bytes: event.sizeBytes,
      created_at: event.at,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
