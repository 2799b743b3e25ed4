import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { type Insertable, type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { lastOf, recordset } from "../rows.ts";

type Trx = Kysely<Tables>;
type EventOf<T extends CallEvent["type"]> = Extract<CallEvent, { type: T }>;

/** Writes what events imply for a call's record besides the call's row, with one statement per table. */
export async function project(trx: Trx, events: readonly CallEvent[]): Promise<void> {
  const messages: Insertable<Tables["call_messages"]>[] = [];
  const metrics: Insertable<Tables["call_turns"]>[] = [];
  const tools: Insertable<Tables["call_tools"]>[] = [];
  for (const event of events) {
    switch (event.type) {
      case "call.message":
        messages.push(messageRow(event));
        break;
      case "call.turn_metrics":
        metrics.push(turnRow(event));
        break;
      case "call.tool_invoked":
        tools.push(toolRow(event));
        break;
      // Written by others, or read from `call_events` itself.
      case "call.started":
      case "call.ended":
      case "recording.ready":
      case "call.dtmf":
      case "call.handed_off":
      case "call.node_entered":
      case "call.tokens_used":
      case "call.transfer_requested":
      case "call.machine_detected":
        break;
      default:
        event satisfies never;
    }
  }
  await insertMessages(trx, messages);
  const turns = lastOf(metrics, turnKey);
  if (turns.length > 0)
    await trx
      .insertInto("call_turns")
      .values(turns)
      .onConflict((conflict) =>
        conflict.columns(["session_id", "turn"]).doUpdateSet(({ ref }) => ({
          end_of_turn_ms: ref("excluded.end_of_turn_ms"),
          brain_request_ms: ref("excluded.brain_request_ms"),
          first_clause_ms: ref("excluded.first_clause_ms"),
          brain_first_token_ms: ref("excluded.brain_first_token_ms"),
          tts_first_byte_ms: ref("excluded.tts_first_byte_ms"),
          response_ms: ref("excluded.response_ms"),
          at: ref("excluded.at"),
        })),
      )
      .execute();
  if (tools.length > 0) await trx.insertInto("call_tools").values(tools).execute();
}

async function insertMessages(
  trx: Trx,
  messages: readonly Insertable<Tables["call_messages"]>[],
): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    insert into call_messages (event_id, session_id, org_id, seq, turn, role, text, interrupted, source, at)
    select event_id, session_id, org_id, seq, turn, role, text, interrupted, source, at
    from ${recordset(
      messages,
      sql`event_id text, session_id text, org_id text, seq integer, turn integer, role text, text text,
        interrupted boolean, source text, at timestamptz`,
    )}`.execute(trx);
}

/** Inserts announced recordings; those of calls with deleted content are hidden, and the reaper deletes the file. */
export async function projectRecordings(
  trx: Trx,
  events: readonly CallEvent[],
  isErased: (event: CallEvent) => boolean,
): Promise<void> {
  const rows = ofType(events, "recording.ready").map((event) => ({
    id: event.recordingId,
    session_id: event.sessionId,
    org_id: event.orgId,
    key: event.key,
    duration_ms: event.durationMs,
    size_bytes: event.sizeBytes,
    partial: event.partial ?? false,
    created_at: event.at,
    deleted_at: isErased(event) ? event.at : null,
  }));
  if (rows.length === 0) return;
  await trx
    .insertInto("recordings")
    .values(rows)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** The events of one type, in order. */
export function ofType<T extends CallEvent["type"]>(events: readonly CallEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

function messageRow(event: EventOf<"call.message">): Insertable<Tables["call_messages"]> {
  const { id, sessionId, orgId, seq, turn, role, text, interrupted, source, at } = event;
  return {
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
  };
}

function turnRow({
  sessionId,
  turn,
  metrics,
  at,
}: EventOf<"call.turn_metrics">): Insertable<Tables["call_turns"]> {
  return {
    session_id: sessionId,
    turn,
    end_of_turn_ms: Math.round(metrics.endOfTurnMs),
    brain_request_ms: Math.round(metrics.brainRequestMs),
    first_clause_ms: Math.round(metrics.firstClauseMs),
    brain_first_token_ms: Math.round(metrics.brainFirstTokenMs),
    tts_first_byte_ms: Math.round(metrics.ttsFirstByteMs),
    response_ms: Math.round(metrics.responseMs),
    at,
  };
}

function turnKey({ session_id, turn }: Insertable<Tables["call_turns"]>): string {
  return `${session_id} ${turn}`;
}

function toolRow(event: EventOf<"call.tool_invoked">): Insertable<Tables["call_tools"]> {
  return {
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
  };
}
