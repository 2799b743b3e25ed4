import type { Clock } from "@parley/shared/clock.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { EventName, EventPayload } from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Tables } from "@parley/shared/database/tables.ts";
import type { Kysely, Selectable } from "kysely";
import type { RecordingLinks } from "../recordings/recording-links.ts";
import { type StoredEndpoint, selectEnabledEndpoints } from "./endpoint-store.ts";
import { raiseEvent } from "./raise.ts";

const PLAIN_HANGUP = "hangup";
/** Spec 2, "Limits". */
const MAX_TRANSCRIPT_ROWS = 500;
const MAX_TEXT_BYTES = 8_000;
const MAX_RESULT_BYTES = 1_048_576;

type Trx = Kysely<Tables>;
type Call = Selectable<Tables["calls"]>;
type EventOf<T extends CallEvent["type"]> = Extract<CallEvent, { type: T }>;

export interface CallWebhooksDeps {
  readonly clock: Clock;
  readonly recordingLinks: RecordingLinks;
}

/** Raises what a recorded call event means for webhooks, in the recorder's transaction. Gives how many deliveries. */
export async function raiseCallEvent(trx: Trx, event: CallEvent, deps: CallWebhooksDeps): Promise<number> {
  if (event.type === "call.turn_metrics" || event.type === "call.transfer_requested") return 0;
  const at = new Date(deps.clock.wallMs());
  const endpoints = await selectEnabledEndpoints(trx, event.orgId, at);
  if (endpoints.length === 0) return 0;
  const call = await trx
    .selectFrom("calls")
    .selectAll()
    .where("session_id", "=", event.sessionId)
    .executeTakeFirst();
  if (!call) return 0;
  const raise = <E extends EventName>(name: E, payload: (endpoint: StoredEndpoint) => Payload<E>) =>
    raiseEvent(
      trx,
      {
        orgId: call.org_id,
        event: name,
        agentId: call.agent_id,
        at,
        payload: payload as (endpoint: StoredEndpoint) => EventPayload<E> | Promise<EventPayload<E>>,
      },
      endpoints,
    );
  switch (event.type) {
    case "call.started":
      return raise("call.started", () => ({
        event: "call.started",
        ...aboutCall(call, event.at),
        from: agentNumber(call),
      }));
    case "call.message":
      return raise("transcript.ready", () => ({
        event: "transcript.ready",
        ...common(call, event.at),
        role: event.role,
        text: event.text,
      }));
    case "call.dtmf":
      return raise("call.dtmf", () => ({
        event: "call.dtmf",
        ...common(call, event.at),
        digit: event.digit,
      }));
    case "call.tool_invoked":
      return raise("tool.invoked", () => ({
        event: "tool.invoked",
        ...common(call, event.at),
        ...toolOf(event),
      }));
    case "recording.ready":
      return raise("recording.ready", () => ({
        event: "recording.ready",
        ...common(call, event.at),
        recordingId: event.recordingId,
        durationSecs: Math.floor(event.durationMs / 1_000),
        recording: deps.recordingLinks.link(event.recordingId),
      }));
    case "call.machine_detected":
      return raise("call.machine_detected", () => ({
        event: "call.machine_detected",
        ...common(call, event.at),
        ...legOf(call),
        answeredBy: event.answeredBy,
        action: event.action,
        callContinues: event.action === "call_screen",
        detectedAt: event.detectedAt,
      }));
    case "call.ended":
      return raise("call.ended", await endedVariants(trx, { call, event }, deps));
  }
}

type Payload<E extends EventName> = EventPayload<E> | Promise<EventPayload<E>>;

/** Fields every event of a session has. */
function common(call: Call, at: string) {
  return {
    orgId: call.org_id,
    occurredAt: at,
    sessionId: call.session_id,
    agentId: call.agent_id,
    identifier: call.identifier,
  };
}

/** The agent's own number, whoever called whom. */
function agentNumber({ direction, from_number, to_number }: Call): string | null {
  return direction === "inbound" ? to_number : from_number;
}

/** Softphone legs are always outbound (spec 2), whoever called whom; the call's record says which it was. */
function directionOf({ channel, direction }: Call) {
  return channel === "softphone" ? "outbound" : (direction as EventPayload<"call.started">["direction"]);
}

/** Values shared across call events (spec 2). */
function legOf(call: Call) {
  return {
    direction: directionOf(call),
    channel: call.channel as EventPayload<"call.started">["channel"],
    callSid: call.call_sid,
    fromNumber: call.from_number,
    toNumber: call.to_number,
  };
}

function aboutCall(call: Call, at: string) {
  return {
    ...common(call, at),
    ...legOf(call),
    userId: call.user_id,
    variables: call.variables,
    startTime: (call.started_at ?? call.created_at).toISOString(),
  };
}

/** Read once however many endpoints there are; those that want the same get the very same object. */
async function endedVariants(
  trx: Trx,
  { call, event }: { call: Call; event: EventOf<"call.ended"> },
  deps: CallWebhooksDeps,
): Promise<(endpoint: StoredEndpoint) => EventPayload<"call.ended">> {
  const messages = await trx
    .selectFrom("call_messages")
    .select(["role", "text", "at"])
    .where("session_id", "=", call.session_id)
    .orderBy("seq", "desc")
    .limit(MAX_TRANSCRIPT_ROWS)
    .execute();
  const { count } = await trx
    .selectFrom("call_messages")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("session_id", "=", call.session_id)
    .executeTakeFirstOrThrow();
  const recording = await trx
    .selectFrom("recordings")
    .select("id")
    .where("session_id", "=", call.session_id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const transcript = messages.toReversed().map(({ role, text, at }) => ({
    role,
    text: truncateUtf8(text, MAX_TEXT_BYTES),
    at: at.toISOString(),
  }));
  const plain = {
    event: "call.ended" as const,
    ...aboutCall(call, event.at),
    durationSecs: call.duration_secs ?? secsUntil(call, event.at),
    endTime: event.at,
    messageCount: Number(count),
    answeredBy: call.answered_by,
    endReason: event.reason === PLAIN_HANGUP ? null : event.reason,
    fromOrTo: agentNumber(call),
  };
  const sound = recording ? { recording: deps.recordingLinks.link(recording.id) } : {};
  const words = transcript.length > 0 ? { transcript } : {};
  const withWords = { ...plain, ...words };
  const withSound = { ...plain, ...sound };
  const withBoth = { ...withSound, ...words };
  return ({ include_recording, include_transcript }) => {
    if (include_recording) return include_transcript ? withBoth : withSound;
    return include_transcript ? withWords : plain;
  };
}

/** Of a call that never connected: wall-clock session start to teardown, truncated (spec 2, call.ended). */
function secsUntil({ started_at, created_at }: Call, endedAt: string): number {
  const lastedMs = Date.parse(endedAt) - (started_at ?? created_at).getTime();
  return Math.max(0, Math.floor(lastedMs / 1_000));
}

function toolOf({ name, arguments: given, result, status, latencyMs }: EventOf<"call.tool_invoked">) {
  const bytes = Buffer.byteLength(JSON.stringify(result ?? null));
  const isOver = bytes > MAX_RESULT_BYTES;
  return {
    name,
    arguments: (given ?? null) as EventPayload<"tool.invoked">["arguments"],
    result: isOver
      ? { error: `The result had ${bytes} bytes; at most ${MAX_RESULT_BYTES} are kept.` }
      : (result ?? null),
    status: isOver ? "error" : status,
    latencyMs,
  };
}

/** At most `maxBytes` of UTF-8, never half a character. */
export function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  const CONTINUES = 0b1000_0000;
  const MASK = 0b1100_0000;
  while (end > 0 && ((bytes[end] ?? 0) & MASK) === CONTINUES) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
}
