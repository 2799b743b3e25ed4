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
 * What happened in a call and must not be lost: the durable stream from the gateways to the event projector.
 * Each event has an id of its own (applying it twice changes nothing) and a `seq` that counts up within
 * its session.
 */
export const CALL_EVENTS_STREAM = "call-events";
export const PROJECTOR_GROUP = "recorder";

/** The `seq` of what is told of a call after its holder has told all it will: a recovered recording, an end told for it. */
export const LATE_SEQ = 1_999_999_999;
/** The `seq` of the end of a call whose holder is lost: behind those. */
export const LAST_SEQ = 2_000_000_000;

const envelope = {
  /** `evt_…`, the idempotency key of the event projector. */
  id: plain(z.string()),
  sessionId: plain(z.string()),
  orgId: plain(z.string()),
  seq: countSchema,
  /** Whose call it was then; absent: the agent's that it began with. */
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
    /** The carrier's id of the leg, as its media socket tells it. Of phone calls only. */
    callSid: plain(z.string()).optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("call.message"),
    turn: countSchema,
    role: z.enum(["user", "assistant"]),
    /** What was said; for the assistant what was really spoken. */
    text: spoken(z.string()),
    /** The assistant was talked over; `text` stops at what the caller heard. */
    interrupted: z.boolean(),
    source: z.enum(["speech", "text", "dtmf", "brain", "agent"]),
  }),
  z.object({
    ...envelope,
    type: z.literal("call.turn_metrics"),
    turn: countSchema,
    metrics: turnMetricsSchema,
    /** What was decided about the floor since this was told last. */
    floor: toldFloorSchema,
  }),
  z.object({ ...envelope, type: z.literal("call.dtmf"), digit: carried(dtmfDigitSchema) }),
  /** Another agent goes on; what follows is its own. */
  z.object({
    ...envelope,
    type: z.literal("call.handed_off"),
    turn: countSchema,
    agentId: plain(z.string()),
    agentVersion: countSchema,
    /** What it was told. */
    summary: spoken(z.string()),
  }),
  /** The agent's flow came to a node, or its brain says so. */
  z.object({
    ...envelope,
    type: z.literal("call.node_entered"),
    turn: countSchema,
    node: plain(z.string()),
  }),
  /** A model was asked for the agent. */
  z.object({
    ...envelope,
    type: z.literal("call.tokens_used"),
    turn: countSchema,
    model: plain(z.string()),
    /** At a service that the agent's owner pays. */
    isOwn: z.boolean(),
    inputTokens: wholeFigureSchema,
    outputTokens: wholeFigureSchema,
  }),
  /** The agent has said what it had to say and hands the caller over. Of phone calls; of others nothing follows. */
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
    /** Where the store keeps it, relative to the store's root. */
    key: carried(z.string()),
    durationMs: wholeFigureSchema,
    sizeBytes: z.int().min(0),
    /** Its end is missing: writing it was refused while the call went on. */
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
    /** Whole seconds since `call.started` by a clock that is never set; absent when the holder cannot tell. */
    durationSecs: wholeFigureSchema.optional(),
    /** What was decided about the floor and not told before. */
    floor: toldFloorSchema,
  }),
]);
export type CallEvent = z.infer<typeof callEventSchema>;
export type CallEventType = CallEvent["type"];

/** A call event before the envelope is put around it. */
type WithoutEnvelope<E> = E extends { type: "call.handed_off" }
  ? Omit<E, Exclude<keyof typeof envelope, "agentId">>
  : Omit<E, keyof typeof envelope>;
export type CallEventBody = WithoutEnvelope<CallEvent>;

const EVENT_SCHEMAS = callEventSchema.options.map((schema) => [schema.shape.type.value, schema] as const);
const EVENT_MASKERS = new Map(EVENT_SCHEMAS.map(([type, schema]) => [type, maskerOf(schema)]));

/** Types of events that hold what was said: nothing of them is kept once the content of their call was deleted. */
export const CONTENT_EVENTS: ReadonlySet<CallEventType> = new Set(
  EVENT_SCHEMAS.filter(([, schema]) => contentFields(schema).some(({ mark }) => mark !== "plain")).map(
    ([type]) => type,
  ),
);

/** An event with what was spoken in it masked. */
export function maskCallEvent(body: CallEventBody, masking: Masking): CallEventBody {
  const mask = EVENT_MASKERS.get(body.type);
  if (!mask) throw new Error(`no call event is a ${body.type}`);
  return mask(body, masking);
}

/**
 * Seqs from here on are no count: such events are made by who does not hold the call (a sweeper, a carrier's callback) and
 * belong behind whatever its holder tells.
 */
export const FIRST_UNCOUNTED_SEQ = 1_999_999_000;

/** An event as the stream carries it; every event is made here, so that none has text that cannot be kept. */
export function encodeCallEvent(event: CallEvent): string {
  return JSON.stringify(storable(event));
}

/** Throws when the text is no event. Of gateways of earlier versions it may have text that cannot be kept; here it has not. */
export function decodeCallEvent(text: string): CallEvent {
  return callEventSchema.parse(storable(JSON.parse(text)));
}
