import { z } from "zod";
import { turnMetricsSchema } from "./call-socket.ts";
import { recordingLinkSchema } from "./recordings.ts";

const timestamp = z.iso.datetime();

/** A call with its transcript, as `GET /api/v1/calls/{id}` gives it. */
export const callRecordSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  agentId: z.string(),
  agentName: z.string().nullable(),
  channel: z.string(),
  direction: z.string(),
  fromNumber: z.string().nullable(),
  toNumber: z.string().nullable(),
  status: z.string(),
  /** Null when the call simply hung up (spec 2, call.ended). */
  endReason: z.string().nullable(),
  identifier: z.string().nullable(),
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
  recording: recordingLinkSchema.extend({ durationSecs: z.number(), sizeBytes: z.number().int() }).nullable(),
});
export type CallRecord = z.infer<typeof callRecordSchema>;
