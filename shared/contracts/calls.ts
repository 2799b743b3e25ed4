import { z } from "zod";
import { MAX_NOTES_CHARS } from "./call-constants.ts";
import { turnMetricsSchema } from "./call-socket.ts";
import { wrapped } from "./envelope.ts";
import { callAnalysis, collectedPii } from "./event-catalog/call-analysis.ts";
import { turnFloorSchema } from "./floor.ts";
import { instantSchema } from "./instant.ts";
import { beforeId, pageLimit } from "./paging.ts";
import { recordingLinkSchema } from "./recordings.ts";
import { deliverySchema } from "./webhooks.ts";

const timestamp = z.iso.datetime();

/** A call with its transcript, as returned by `GET /api/v1/calls/{id}`. */
export const callRecordSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  /** Null for a manual call, which has no agent. */
  agentId: z.string().nullable(),
  /** The agent's name; for a deleted agent, its name in the version that the call ran with. */
  agentName: z.string().nullable(),
  /** The version that the call ran with: `GET /api/agents/{id}/versions/{n}`. */
  agentVersion: z.int().nullable(),
  channel: z.string(),
  direction: z.string(),
  fromNumber: z.string().nullable(),
  toNumber: z.string().nullable(),
  status: z.string(),
  /** Null when the call simply hung up (docs/webhooks.md#callended). */
  endReason: z.string().nullable(),
  identifier: z.string().nullable(),
  /** The member the call is attributed to: for a softphone call, whoever talks. */
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
      /** The caller interrupted; `text` stops at what was heard. */
      interrupted: z.boolean(),
    }),
  ),
  latency: z.array(z.object({ turn: z.number().int() }).extend(turnMetricsSchema.shape)),
  /** Floor decisions turn by turn, with reasons. Deleted with the call's content. */
  floor: z.array(turnFloorSchema),
  /** The nodes of the agent's flow that the call reached, in order. Deleted with the call's content. */
  path: z.array(
    z.object({
      node: z.string(),
      turn: z.number().int(),
      at: timestamp,
      /** The agent whose flow it is, after a handoff; null: the agent that the call began with. */
      agentId: z.string().nullable(),
    }),
  ),
  /** Agents that took over the call, after the one it began with. */
  handOffs: z.array(
    z.object({
      agentId: z.string(),
      agentVersion: z.number().int(),
      /** The summary given to that agent. */
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
  /** Notes people wrote about the call; empty: none. */
  notes: z.string(),
  /** `partial`: the end is missing, because the disk was full during the call. */
  recording: recordingLinkSchema
    .extend({ durationSecs: z.number(), sizeBytes: z.number().int(), partial: z.boolean() })
    .nullable(),
  /** Null until the call was analyzed; stays null if its agent configures no analysis (`postCallAnalysis`). */
  analysis: callAnalysis.nullable(),
  analyzedAt: timestamp.nullable(),
  /** Why there is no analysis and will be none; null if nothing went wrong. */
  analysisError: z.string().nullable(),
  /** Personal data of the call held by the vault, without its values. */
  piiCollected: z.array(collectedPii),
});
export type CallRecord = z.infer<typeof callRecordSchema>;

const wordSchema = z.string().trim().min(1).max(200).optional();

/** `/api/orgs/{orgId}/calls`: all filters are optional; each page says where the next one begins. */
export const callsQuerySchema = z.object({
  limit: pageLimit(100),
  /** `nextBefore` of the previous page. */
  before: beforeId("cal_"),
  status: z.string().min(1).max(32).optional(),
  agentId: z.string().min(1).max(64).optional(),
  direction: z.string().min(1).max(32).optional(),
  channel: z.string().min(1).max(32).optional(),
  userId: z.string().min(1).max(64).optional(),
  /** One session id, or up to 100 separated by commas. */
  sessionId: z
    .string()
    .regex(/^[^,\s]{1,64}(,[^,\s]{1,64}){0,99}$/, "up to 100 ids with commas between them")
    .optional(),
  /** Digits of either side's number, or part of them; spaces, dashes, and brackets are ignored. */
  number: z.string().min(1).max(32).optional(),
  /** Made at or after this time. */
  from: instantSchema.optional(),
  /** Made before this time. */
  to: instantSchema.optional(),
  /** Ongoing: being dialed, waiting for its caller, or in conversation. Excludes text chats. */
  live: z.literal("true").optional(),
  /** Part of something that was said, in any letter case; three or more characters are found quickly. */
  text: z.string().trim().min(2).max(128).optional(),
  /** End reason, as counted by `GET …/analytics/outcomes`: `hangup`, or another reason. */
  endReason: wordSchema,
  /** The caller interrupted the agent. */
  interrupted: z.literal("true").optional(),
  /** A tool that was called in the call. */
  tool: wordSchema,
  /** A tool that failed in the call. */
  failedTool: wordSchema,
  /** The caller's sentiment, by the call's analysis. */
  sentiment: wordSchema,
  /** The call's outcome, by its analysis. */
  disposition: wordSchema,
  /** The call's topic, by its analysis. */
  topic: wordSchema,
  /** A criterion of the agent's rubric that the call met, by its analysis. */
  metCriterion: wordSchema,
  /** A criterion of the agent's rubric that the call did not meet. */
  missedCriterion: wordSchema,
});
/** Filters by the values that analytics counts. */
export const WORD_FILTERS = [
  "endReason",
  "interrupted",
  "tool",
  "failedTool",
  "sentiment",
  "disposition",
  "topic",
  "metCriterion",
  "missedCriterion",
] as const satisfies readonly (keyof z.infer<typeof callsQuerySchema>)[];
export type WordFilter = (typeof WORD_FILTERS)[number];
export type CallsQuery = z.infer<typeof callsQuerySchema>;

/** A live or finished session, without what was said in it: `GET /api/sessions/{id}`. */
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
/** `PATCH /api/orgs/{orgId}/calls/{id}`: an empty text removes the notes. */
export const updateCallSchema = z.strictObject({ notes: z.string().max(MAX_NOTES_CHARS) });
/** `notes` as stored: masked according to the organization's PII policy. */
export const updatedCallResponseSchema = wrapped(
  z.object({ id: z.string(), sessionId: z.string(), notes: z.string() }),
);
/**
 * Events of a call other than the words, tools, and figures in its record. `about` is the key pressed, the number
 * transferred to, who answered, or the end reason; null when the type says it all or the value was deleted.
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
  /** When the call's content was deleted; null while it is kept. */
  contentDeletedAt: timestamp.nullable(),
  /** The organization's legal hold: none of its data may be deleted. */
  legalHold: z.boolean(),
  deliveries: z.array(deliverySchema.extend({ endpointId: z.string() })),
});
export type CallDetail = z.infer<typeof callDetailSchema>;
export const callResponseSchema = wrapped(callDetailSchema);
