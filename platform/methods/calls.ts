import { z } from "zod";
import { method, needs } from "./define.ts";
import { idSchema, jsonSchema, phoneSchema, stringMapSchema, timestampSchema } from "./values.ts";

/** A call as it appears in lists. */
export const callRecordSchema = z.object({
  id: z.string(),
  agent_id: z.string().nullable(),
  agent_name: z.string().nullable(),
  channel: z.enum(["telephony", "softphone", "web_call", "whatsapp", "instagram", "web_chat", "simulation"]),
  direction: z.enum(["inbound", "outbound", "web", "whatsapp", "instagram"]),
  from_number: z.string().nullable(),
  to_number: z.string().nullable(),
  /** For example `completed`, `failed`, `in-progress`, `no-answer`. */
  status: z.string(),
  duration_sec: z.number(),
  start_time: timestampSchema,
  /** Null while the call is in progress. */
  end_time: timestampSchema.nullable(),
});
export type CallRecord = z.infer<typeof callRecordSchema>;

/** One call with its transcript. */
export const callDetailSchema = callRecordSchema.extend({
  summary: z.string().nullable(),
  analysis: jsonSchema,
  transcript: z.array(
    z.object({ role: z.enum(["user", "assistant"]), text: z.string(), at: timestampSchema }),
  ),
});
export type CallDetail = z.infer<typeof callDetailSchema>;

export const STREAM_TOPICS = [
  "call.turn",
  "call.transcript_partial",
  "call.barge_in",
  "call.silence",
  "call.dtmf",
  "call.node_entered",
] as const;

/** An event in a live call. */
export const streamEventSchema = z.object({
  topic: z.enum(STREAM_TOPICS),
  sessionId: z.string(),
  data: z.record(z.string(), jsonSchema),
});
export type StreamEvent = z.infer<typeof streamEventSchema>;

export const CALL_METHODS = [
  method("calls.initiate", {
    about: "Places a phone call by an agent.",
    scope: needs("calls:initiate"),
    gate: "canCommunicate",
    writes: true,
    params: { agentId: idSchema, phone: phoneSchema, variables: stringMapSchema.optional() },
    result: z.object({ sessionId: z.string() }),
    limits: { perMinute: 60, inFlight: 4 },
  }),
  method("calls.history", {
    about:
      "Lists calls, the newest first; `number` is either side's, `sessionId` one id or several with commas.",
    scope: needs("calls:read"),
    gate: "canViewActivity",
    params: { filters: z.record(z.string().min(1).max(64), z.string().max(8_192)).optional() },
    result: z.array(callRecordSchema),
    empty: [],
  }),
  method("calls.get", {
    about: "Reads one call: summary, analysis, transcript.",
    scope: needs("calls:read"),
    gate: "canViewActivity",
    params: { sessionId: idSchema },
    result: callDetailSchema,
  }),
  method("calls.open", {
    about: "Opens the call's own page.",
    scope: needs("calls:read"),
    gate: "canViewActivity",
    params: { sessionId: idSchema },
    result: z.object({ sessionId: z.string() }),
    hostEffect: "open_call",
  }),
  method("stream.subscribe", {
    about: "Tells what happens in a call that is in progress, until the subscription or the call ends.",
    scope: needs("calls:read"),
    gate: "canViewActivity",
    params: { sessionId: idSchema },
    result: z.null(),
    event: streamEventSchema,
    streams: "subscription",
  }),
  method("softphone.dial", {
    about: "Opens the dashboard's dialer with a number filled in; the user presses Dial.",
    scope: needs("softphone:dial"),
    gate: "canCommunicate",
    params: { phone: phoneSchema },
    result: z.object({ phone: z.string() }),
    hostEffect: "open_dialer",
  }),
] as const;
