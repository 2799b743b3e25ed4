import { z } from "zod";
import { countSchema, wholeFigureSchema } from "./bounds.ts";
import { dtmfDigitSchema, turnMetricsSchema } from "./call-socket.ts";
import { END_STATUSES } from "./call-status.ts";
import { contentFields } from "./content/fields.ts";
import { carried, plain, spoken } from "./content/marks.ts";
import { type Masking, maskerOf } from "./content/mask.ts";
import { toldFloorSchema } from "./floor.ts";
import { machineVerdictSchema } from "./machine-verdict.ts";
import { storable } from "./storable.ts";
import { toolWordSchema } from "./tool-status.ts";
import { TRANSFER_MODES } from "./transfers.ts";

/**
 * Call events that must not be lost: the durable stream from the gateways to the event projector. Each event has its
 * own id (applying it twice changes nothing) and a `seq` that counts up within its session.
 */
export const CALL_EVENTS_STREAM = "call-events";
export const PROJECTOR_GROUP = "recorder";

/** The `seq` of an event written after the holder's last: a recovered recording, or an end reported for the holder. */
export const LATE_SEQ = 1_999_999_999;
/** The `seq` of the end of a call whose holder is lost, after all other events. */
export const LAST_SEQ = 2_000_000_000;

const envelope = {
  /** `evt_…`, the idempotency key of the event projector. */
  id: plain(z.string()),
  sessionId: plain(z.string()),
  orgId: plain(z.string()),
  seq: countSchema,
  /** The agent that held the call at the time; absent: the agent it began with. */
  agentId: plain(z.string()).optional(),
  /** RFC 3339 UTC, three fractional digits: when it happened. */
  at: z.iso.datetime({ precision: 3 }),
};

export const callEventSchema = z.discriminatedUnion("type", [
  z.object({
    ...envelope,
    type: z.literal("call.started"),
    nodeId: plain(z.string()),
    audio: plain(z.string()),
    /** The carrier's id of the leg, as reported by its media socket. Phone calls only. */
    callSid: plain(z.string()).optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("call.message"),
    turn: countSchema,
    role: z.enum(["user", "assistant"]),
    /** What was said; for the assistant, what was really spoken. */
    text: spoken(z.string()),
    /** The caller interrupted the assistant; `text` stops at what the caller heard. */
    interrupted: z.boolean(),
    source: z.enum(["speech", "text", "dtmf", "brain", "agent"]),
  }),
  z.object({
    ...envelope,
    type: z.literal("call.turn_metrics"),
    turn: countSchema,
    metrics: turnMetricsSchema,
    /** Floor decisions since the last report. */
    floor: toldFloorSchema,
  }),
  z.object({ ...envelope, type: z.literal("call.dtmf"), digit: carried(dtmfDigitSchema) }),
  /** Another agent takes over; later events are about that agent. */
  z.object({
    ...envelope,
    type: z.literal("call.handed_off"),
    turn: countSchema,
    agentId: plain(z.string()),
    agentVersion: countSchema,
    /** The summary given to that agent. */
    summary: spoken(z.string()),
  }),
  /** The agent's flow reached a node, or its brain reports one. */
  z.object({
    ...envelope,
    type: z.literal("call.node_entered"),
    turn: countSchema,
    node: plain(z.string()),
  }),
  /** A model was asked on the agent's behalf. */
  z.object({
    ...envelope,
    type: z.literal("call.tokens_used"),
    turn: countSchema,
    model: plain(z.string()),
    /** Whether the agent's owner pays for the service. */
    isOwn: z.boolean(),
    inputTokens: wholeFigureSchema,
    outputTokens: wholeFigureSchema,
  }),
  /** The agent has finished speaking and hands the caller over. Phone calls only; in others nothing follows. */
  z.object({
    ...envelope,
    type: z.literal("call.transfer_requested"),
    to: carried(z.e164()),
    mode: z.enum(TRANSFER_MODES).default("blind"),
    whisper: spoken(z.string()).optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("call.tool_invoked"),
    turn: countSchema,
    name: plain(z.string()),
    arguments: spoken(z.unknown()),
    result: spoken(z.unknown()),
    status: plain(toolWordSchema),
    latencyMs: wholeFigureSchema,
  }),
  z.object({
    ...envelope,
    type: z.literal("recording.ready"),
    recordingId: plain(z.string()),
    /** The recording's path, relative to the store's root. */
    key: carried(z.string()),
    durationMs: wholeFigureSchema,
    sizeBytes: z.int().min(0),
    /** The end is missing: writes were refused while the call continued. */
    partial: z.boolean().optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("call.machine_detected"),
    answeredBy: machineVerdictSchema,
    action: z.enum(["ivr_hangup", "call_screen", "amd_hangup", "voicemail_drop"]),
    detectedAt: z.iso.datetime({ precision: 3 }),
  }),
  z.object({
    ...envelope,
    type: z.literal("call.ended"),
    /** One of `END_REASONS`; the set is open (docs/webhooks.md#callended). */
    reason: plain(z.string()),
    status: z.enum(END_STATUSES).brand<"call-status">(),
    /** Whole seconds since `call.started` by a monotonic clock; absent when the holder cannot tell. */
    durationSecs: wholeFigureSchema.optional(),
    /** Floor decisions not reported before. */
    floor: toldFloorSchema,
  }),
]);
export type CallEvent = z.infer<typeof callEventSchema>;
export type CallEventType = CallEvent["type"];

/** The types for which a table says yes. It names all of them, so that a new type compiles only once each table does. */
export function eventTypes(answers: Readonly<Record<CallEventType, boolean>>): ReadonlySet<CallEventType> {
  const types = Object.keys(answers) as CallEventType[];
  return new Set(types.filter((type) => answers[type]));
}

/** A call event without its envelope. */
type WithoutEnvelope<E> = E extends { type: "call.handed_off" }
  ? Omit<E, Exclude<keyof typeof envelope, "agentId">>
  : Omit<E, keyof typeof envelope>;
export type CallEventBody = WithoutEnvelope<CallEvent>;

const EVENT_SCHEMAS = callEventSchema.options.map((schema) => [schema.shape.type.value, schema] as const);
const EVENT_MASKERS = new Map(EVENT_SCHEMAS.map(([type, schema]) => [type, maskerOf(schema)]));

/** Types of events that carry what was said: they are not kept once the content of their call was deleted. */
export const CONTENT_EVENTS: ReadonlySet<CallEventType> = new Set(
  EVENT_SCHEMAS.filter(([, schema]) => contentFields(schema).some(({ mark }) => mark !== "plain")).map(
    ([type]) => type,
  ),
);

/** An event with its spoken content masked. */
export function maskCallEvent(body: CallEventBody, masking: Masking): CallEventBody {
  const mask = EVENT_MASKERS.get(body.type);
  if (!mask) throw new Error(`no call event is a ${body.type}`);
  return mask(body, masking);
}

/**
 * Seqs from here on are not counters: these events come from processes that do not hold the call (a sweeper, a
 * carrier's callback) and sort after everything its holder reports.
 */
export const FIRST_UNCOUNTED_SEQ = 1_999_999_000;

/**
 * Encodes an event for the stream; every event passes through here, so that none contains text that cannot be stored.
 */
export function encodeCallEvent(event: CallEvent): string {
  return JSON.stringify(storable(event));
}

/**
 * Decodes an event; throws when the text is none. Replaces unstorable text that gateways of earlier versions may have
 * sent.
 */
export function decodeCallEvent(text: string): CallEvent {
  return callEventSchema.parse(storable(JSON.parse(text)));
}
