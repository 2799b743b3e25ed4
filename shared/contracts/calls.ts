import { z } from "zod";
import { turnMetricsSchema } from "./call-socket.ts";

const timestamp = z.iso.datetime();

/** A call with its transcript, as `GET /api/v1/calls/{id}` gives it. */
export const callRecordSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  agentId: z.string(),
  /** Of the agent, or as the version the call ran with was named when the agent is gone. */
  agentName: z.string().nullable(),
  /** The version the call ran with: `GET /api/agents/{id}/versions/{n}`. */
  agentVersion: z.int().nullable(),
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
  recording: z
    .object({ id: z.string(), durationSecs: z.number(), sizeBytes: z.number().int(), url: z.string() })
    .nullable(),
});
export type CallRecord = z.infer<typeof callRecordSchema>;
