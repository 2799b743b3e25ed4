import { z } from "zod";
import { MAX_NOTES_CHARS } from "./call-constants.ts";
import { turnMetricsSchema } from "./call-socket.ts";
import { wrapped } from "./envelope.ts";
import { callAnalysis, collectedPii } from "./event-catalog/call-analysis.ts";
import { turnFloorSchema } from "./floor.ts";
import { instantSchema } from "./instant.ts";
import { pageLimit } from "./paging.ts";
import { recordingLinkSchema } from "./recordings.ts";
import { deliverySchema } from "./webhooks.ts";

const timestamp = z.iso.datetime();

/** A call with its transcript, as `GET /api/v1/calls/{id}` gives it. */
export const callRecordSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  /** Null for a manual call: no agent takes part. */
  agentId: z.string().nullable(),
  /** Of the agent, or as the version the call ran with was named when the agent is gone. */
  agentName: z.string().nullable(),
  /** The version the call ran with: `GET /api/agents/{id}/versions/{n}`. */
  agentVersion: z.int().nullable(),
  channel: z.string(),
  direction: z.string(),
  fromNumber: z.string().nullable(),
  toNumber: z.string().nullable(),
  status: z.string(),
  /** Null when the call simply hung up (docs/webhooks.md#callended). */
  endReason: z.string().nullable(),
  identifier: z.string().nullable(),
  /** The member it is counted to: of a call from a softphone whoever talks. */
  userId: z.string(),
  variables: z.record(z.string(), z.string()),
  createdAt: timestamp,
  startTime: timestamp.nullable(),
  endTime: timestamp.nullable(),
  durationSecs: z.number().int().nullable(),
  transcript: z.array(
    z.object({
      role: z.enum(["user", "assistant"]),
      text: z.string(),
      at: timestamp,
      turn: z.number().int(),
      /** The caller talked over it; `text` stops at what was heard. */
      interrupted: z.boolean(),
    }),
  ),
  latency: z.array(z.object({ turn: z.number().int() }).extend(turnMetricsSchema.shape)),
  /** What was decided about who speaks, turn by turn, and why. Gone with what was said. */
  floor: z.array(turnFloorSchema),
  /** The nodes of the agent's flow that the call came to, in their order. Gone with what was said. */
  path: z.array(
    z.object({
      node: z.string(),
      turn: z.number().int(),
      at: timestamp,
      /** Whose flow it is, of an agent that the call was handed to; null: of the agent it began with. */
      agentId: z.string().nullable(),
    }),
  ),
  /** Agents that went on with the call after the one that it began with. */
  handOffs: z.array(
    z.object({
      agentId: z.string(),
      agentVersion: z.number().int(),
      /** What it was told. */
      summary: z.string(),
      at: timestamp,
    }),
  ),
  tools: z.array(
    z.object({
      turn: z.number().int(),
      name: z.string(),
      arguments: z.unknown(),
      result: z.unknown(),
      status: z.string(),
      latencyMs: z.number().int(),
      at: timestamp,
    }),
  ),
  /** What people wrote down about the call; empty: nothing. */
  notes: z.string(),
  /** `partial`: its end is missing, because the disk was full while the call went on. */
  recording: recordingLinkSchema
    .extend({ durationSecs: z.number(), sizeBytes: z.number().int(), partial: z.boolean() })
    .nullable(),
  /** Null until the call was analyzed; for good where its agent says nothing of it (`postCallAnalysis`). */
  analysis: callAnalysis.nullable(),
  analyzedAt: timestamp.nullable(),
  /** Why there is no analysis, and will be none; null where nothing went wrong. */
  analysisError: z.string().nullable(),
  /** Personal data of the call that the vault has, without its values. */
  piiCollected: z.array(collectedPii),
});
export type CallRecord = z.infer<typeof callRecordSchema>;

/** `/api/orgs/{orgId}/calls`: filters are all optional; a page ends with where the next one begins. */
export const callsQuerySchema = z.object({
  limit: pageLimit(100),
  /** `nextBefore` of the page before. */
  before: z.string().min(1).max(64).optional(),
  status: z.string().min(1).max(32).optional(),
  agentId: z.string().min(1).max(64).optional(),
  direction: z.string().min(1).max(32).optional(),
  channel: z.string().min(1).max(32).optional(),
  userId: z.string().min(1).max(64).optional(),
  /** One session's id, or up to 100 with commas between them. */
  sessionId: z
    .string()
    .regex(/^[^,\s]{1,64}(,[^,\s]{1,64}){0,99}$/, "up to 100 ids with commas between them")
    .optional(),
  /** Either side's or a part of it, in digits; spaces, dashes and brackets between them are passed over. */
  number: z.string().min(1).max(32).optional(),
  /** Made at this time or later. */
  from: instantSchema.optional(),
  /** Made before this time. */
  to: instantSchema.optional(),
  /** Under way: being dialed, waiting for its caller or talked through. Text chats are no calls here. */
  live: z.literal("true").optional(),
  /** A part of something that was said, in either case; from three characters on it is found quickly. */
  text: z.string().trim().min(2).max(128).optional(),
});
export type CallsQuery = z.infer<typeof callsQuerySchema>;

/** A session, live or over, without what was said in it: `GET /api/sessions/{id}`. */
export const sessionResponseSchema = wrapped(
  callRecordSchema.omit({
    transcript: true,
    tools: true,
    analysis: true,
    analyzedAt: true,
    analysisError: true,
    piiCollected: true,
  }),
);

export const callSummarySchema = callRecordSchema
  .omit({
    transcript: true,
    latency: true,
    floor: true,
    path: true,
    handOffs: true,
    tools: true,
    notes: true,
    recording: true,
    variables: true,
    analysis: true,
    analyzedAt: true,
    analysisError: true,
    piiCollected: true,
  })
  .extend({ hasRecording: z.boolean() });
export type CallSummary = z.infer<typeof callSummarySchema>;
export const callsResponseSchema = wrapped(
  z.object({ calls: z.array(callSummarySchema), nextBefore: z.string().nullable() }),
);
/** `PATCH /api/orgs/{orgId}/calls/{id}`: an empty text takes the notes away. */
export const updateCallSchema = z.strictObject({ notes: z.string().max(MAX_NOTES_CHARS) });
/** `notes` as they are kept: what the organization's PII policy names is masked. */
export const updatedCallResponseSchema = wrapped(
  z.object({ id: z.string(), sessionId: z.string(), notes: z.string() }),
);
/**
 * What happened in a call besides words, tools and figures, which the record has. `about` is the key that was pressed, the
 * number it was transferred to, who answered, or why it ended; null where the type says it all, or it was deleted.
 */
export const timelineEntrySchema = z.object({
  id: z.string(),
  type: z.enum([
    "call.started",
    "call.dtmf",
    "call.transfer_requested",
    "call.machine_detected",
    "recording.ready",
    "call.ended",
  ]),
  at: timestamp,
  about: z.string().nullable(),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

const callDetailSchema = callRecordSchema.extend({
  events: z.array(timelineEntrySchema),
  /** What was said was deleted then; null while it is kept. */
  contentDeletedAt: timestamp.nullable(),
  /** Of the organization: nothing of it may be deleted. */
  legalHold: z.boolean(),
  deliveries: z.array(deliverySchema.extend({ endpointId: z.string() })),
});
export type CallDetail = z.infer<typeof callDetailSchema>;
export const callResponseSchema = wrapped(callDetailSchema);
