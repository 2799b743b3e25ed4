import type { Clock } from "@parley/shared/clock.ts";
import { type CallEvent, type CallEventType, eventTypes } from "@parley/shared/contracts/call-events.ts";
import type { EventName, EventPayload } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { MAX_RESULT_BYTES } from "@parley/shared/contracts/tool-runs.ts";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { RecordingLinks } from "../records/recordings/recording-links.ts";
import type { Recorded, Subscription } from "../subscriptions/subscription.ts";
import { insertDeliveries, type NewDeliveries } from "./delivery-store.ts";
import { type Ending, findEndings, NOTHING } from "./endings.ts";
import { type StoredEndpoint, selectEnabledEndpoints } from "./endpoint-store.ts";
import { type Addressee, addresseeOf } from "./queue-store.ts";
import { deliveriesOf } from "./raise.ts";

const PLAIN_HANGUP = "hangup";

type Trx = Kysely<Tables>;
type Call = Selectable<Tables["calls"]>;
type EventOf<T extends CallEvent["type"]> = Extract<CallEvent, { type: T }>;

export interface CallWebhooksDeps {
  /** Call once deliveries to these are committed. */
  readonly announce: (to: readonly Addressee[]) => void;
  readonly clock: Clock;
  readonly recordingLinks: RecordingLinks;
}

/** Raises webhook events for recorded call events: one delivery per endpoint that wants each. */
export function callWebhooks(deps: CallWebhooksDeps): Subscription {
  return {
    name: "webhooks",
    types: (Object.keys(NAMES) as CallEventType[]).filter(isToldType),
    handle: async (trx, recorded) => {
      const { deliveries, endpoints } = await raise(trx, recorded, deps);
      if (deliveries.length === 0) return undefined;
      await insertDeliveries(trx, deliveries);
      const to = addresseesOf(deliveries, endpoints);
      return () => deps.announce(to);
    },
  };
}

/** Whom the deliverer sends these; terminals that listen fetch their own. */
function addresseesOf(
  deliveries: readonly NewDeliveries[],
  endpoints: readonly StoredEndpoint[],
): Addressee[] {
  const owed = new Set(deliveries.flatMap(({ to }) => to.map(({ endpointId }) => endpointId)));
  return endpoints
    .filter(({ id, listening_until }) => listening_until === null && owed.has(id))
    .map(addresseeOf);
}

interface RaisedAll {
  readonly deliveries: readonly NewDeliveries[];
  /** Of all organizations concerned; not each of them gets something. */
  readonly endpoints: readonly StoredEndpoint[];
}

/** Reads each endpoint and call once per batch. */
async function raise(trx: Trx, recorded: readonly Recorded[], deps: CallWebhooksDeps): Promise<RaisedAll> {
  const at = new Date(deps.clock.wallMs());
  const orgIds = [...new Set(recorded.map(({ event }) => event.orgId))];
  const enabled = await selectEnabledEndpoints(trx, orgIds, at);
  const endpoints = Map.groupBy(enabled, ({ org_id }) => org_id);
  const wanted = recorded.filter(({ event }) => endpoints.has(event.orgId));
  if (wanted.length === 0) return { deliveries: [], endpoints: enabled };
  const told = wanted.map(({ event }) => event).filter(isTold);
  const calls = await findCalls(trx, told);
  const endings = await findEndings(trx, told, (orgId) =>
    (endpoints.get(orgId) ?? []).some(({ include_transcript }) => include_transcript),
  );
  const deliveries: NewDeliveries[] = [];
  for (const { event, recordedAt } of wanted) {
    const row = calls.get(event.sessionId);
    if (!row || !isTold(event) || (row.channel === SIMULATION && !TOLD_OF_REHEARSALS.has(event.type)))
      continue;
    // The agent at the time of the event: another may have taken over since.
    const call = { ...row, agent_id: event.agentId ?? row.agent_id };
    const payload = payloadOf(event, { call, ending: endings.get(event.sessionId) ?? NOTHING, deps });
    const raised = { orgId: call.org_id, event: NAMES[event.type], agentId: call.agent_id, at, payload };
    // Endpoints hear only of events recorded after their registration.
    const known = (endpoints.get(call.org_id) ?? []).filter(({ created_at }) => created_at <= recordedAt);
    deliveries.push(...(await deliveriesOf(raised, known)));
  }
  return { deliveries, endpoints: enabled };
}

/** Webhook names of the call events; null: no webhook is told. */
const NAMES = {
  "call.started": "call.started",
  "call.message": "transcript.ready",
  "call.dtmf": "call.dtmf",
  "call.tool_invoked": "tool.invoked",
  "recording.ready": "recording.ready",
  "call.machine_detected": "call.machine_detected",
  "call.ended": "call.ended",
  "call.turn_metrics": null,
  "call.handed_off": null,
  "call.node_entered": null,
  "call.tokens_used": null,
  "call.transfer_requested": null,
} as const satisfies Record<CallEventType, EventName | null>;
/** Rehearsals have no life of their own (docs/webhooks.md#callstarted). */
const TOLD_OF_REHEARSALS = eventTypes({
  "call.started": false,
  "call.message": true,
  "call.turn_metrics": false,
  "call.dtmf": false,
  "call.handed_off": false,
  "call.node_entered": false,
  "call.tokens_used": false,
  "call.transfer_requested": false,
  "call.tool_invoked": true,
  "recording.ready": false,
  "call.machine_detected": false,
  "call.ended": false,
});
type Told = {
  [T in CallEventType]: (typeof NAMES)[T] extends null ? never : T;
}[CallEventType];
type ToldEvent = EventOf<Told>;

function isTold(event: CallEvent): event is ToldEvent {
  return isToldType(event.type);
}

function isToldType(type: CallEventType): type is Told {
  return NAMES[type] !== null;
}

/** The calls whose content is there. No erasure can begin before the transaction ends, so that it finds all deliveries. */
async function findCalls(trx: Trx, events: readonly ToldEvent[]): Promise<Map<string, Call>> {
  const sessionIds = [...new Set(events.map(({ sessionId }) => sessionId))];
  const rows = await trx
    .selectFrom("calls")
    .selectAll()
    .where("session_id", "in", sessionIds)
    .where("content_deleted_at", "is", null)
    .orderBy("session_id")
    .forKeyShare()
    .execute();
  return new Map(rows.map((call) => [call.session_id, call]));
}

interface PayloadParts {
  readonly call: Call;
  readonly ending: Ending;
  readonly deps: CallWebhooksDeps;
}
type Payload = (endpoint: StoredEndpoint) => EventPayload<(typeof NAMES)[Told]>;

/** Payload for an endpoint. */
function payloadOf(event: ToldEvent, { call, ending, deps }: PayloadParts): Payload {
  switch (event.type) {
    case "call.started":
      return same({ event: "call.started", ...aboutCall(call, event.at), from: agentNumber(call) });
    case "call.message":
      return same({
        event: "transcript.ready",
        ...common(call, event.at),
        role: event.role,
        text: event.text,
      });
    case "call.dtmf":
      return same({ event: "call.dtmf", ...common(call, event.at), digit: event.digit });
    case "call.tool_invoked":
      return same({ event: "tool.invoked", ...common(call, event.at), ...toolOf(event) });
    case "recording.ready":
      return same({
        event: "recording.ready",
        ...common(call, event.at),
        recordingId: event.recordingId,
        durationSecs: Math.floor(event.durationMs / 1_000),
        recording: deps.recordingLinks.link(event.recordingId),
      });
    case "call.machine_detected":
      return same({
        event: "call.machine_detected",
        ...common(call, event.at),
        ...legOf(call),
        answeredBy: event.answeredBy,
        action: event.action,
        callContinues: event.action === "call_screen",
        detectedAt: event.detectedAt,
      });
    case "call.ended":
      return endedVariants(call, event, { ending, deps });
  }
}

/** Gives every endpoint the identical object. */
function same<P>(payload: P): () => P {
  return () => payload;
}

/** Fields common to all events of a session. */
function common(call: Call, at: string) {
  return {
    orgId: call.org_id,
    occurredAt: at,
    sessionId: call.session_id,
    agentId: call.agent_id,
    identifier: call.identifier,
  };
}

/** The agent's own number: it is called, unless it calls itself; empty where there are no numbers. */
function agentNumber({ direction, from_number, to_number }: Call): string {
  return (direction === "outbound" ? from_number : to_number) ?? "";
}

/** Softphone legs are always outbound here (docs/webhooks.md#fields-of-a-calls-leg), unlike in the call's record. */
function directionOf({ channel, direction }: Call) {
  return channel === "softphone" ? "outbound" : (direction as EventPayload<"call.started">["direction"]);
}

/** Fields common to all call events; the session's id stands in for a leg the carrier refused (docs/webhooks.md). */
function legOf(call: Call) {
  return {
    direction: directionOf(call),
    channel: call.channel as EventPayload<"call.started">["channel"],
    callSid: call.call_sid ?? (call.channel === "softphone" ? call.session_id : null),
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

/** Endpoints with the same options share the identical object. */
function endedVariants(
  call: Call,
  event: EventOf<"call.ended">,
  { ending, deps }: { readonly ending: Ending; readonly deps: CallWebhooksDeps },
): (endpoint: StoredEndpoint) => EventPayload<"call.ended"> {
  const { messageCount, recordingId, transcript } = ending;
  const plain = {
    event: "call.ended" as const,
    ...aboutCall(call, event.at),
    durationSecs: call.duration_secs ?? secsUntil(call, event.at),
    endTime: event.at,
    messageCount,
    answeredBy: call.answered_by,
    endReason: event.reason === PLAIN_HANGUP ? null : event.reason,
    fromOrTo: agentNumber(call),
  };
  const sound = recordingId === undefined ? {} : { recording: deps.recordingLinks.link(recordingId) };
  const words = transcript.length > 0 ? { transcript: [...transcript] } : {};
  const withWords = { ...plain, ...words };
  const withSound = { ...plain, ...sound };
  const withBoth = { ...withSound, ...words };
  return ({ include_recording, include_transcript }) => {
    if (include_recording) return include_transcript ? withBoth : withSound;
    return include_transcript ? withWords : plain;
  };
}

/** Duration of a never-connected call: wall-clock session start to teardown, truncated (docs/webhooks.md#callended). */
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
