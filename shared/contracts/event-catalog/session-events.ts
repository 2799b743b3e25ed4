import { z } from "zod";
import { MACHINE_VERDICTS } from "../machine-verdict.ts";
import { toolStatusSchema } from "../tool-status.ts";
import { callEvent, machineEvent, SAMPLE, sessionEvent, timestamp } from "./fields.ts";

const recording = z.object({ id: z.string(), url: z.string(), expiresAt: timestamp });
const digit = z.enum([..."0123456789#*ABCD"]);

const variables = {
  current_date: "2026-11-20",
  current_time: "10:14",
  current_datetime: "2026-11-20T10:14:02.000Z",
  current_weekday: "Friday",
  current_year: "2026",
  current_month: "November",
  current_day: "20",
  current_timezone: "UTC",
  today_date: "2026-11-20",
  tomorrow_date: "2026-11-21",
  yesterday_date: "2026-11-19",
  identifier: "customer-7",
};
const call = {
  ...SAMPLE.session,
  ...SAMPLE.row,
  userId: "usr_019b2c3d4e5f70718293a4b5c6d7e8f9",
  variables,
  startTime: "2026-11-20T10:14:02.000Z",
};
const sampleRecording = {
  id: "rec_019b2c3d4e5f70718293a4b5c6d7e8f9",
  url: "https://parley.example/api/public/recordings/rec_019b2c3d4e5f70718293a4b5c6d7e8f9?expires=1795173330&signature=hJ0mJk2uYbQx8w5c1F3rT6v9zB4nD7gK2pS5uX8aC1e",
  expiresAt: "2026-11-20T11:15:30.000Z",
};

/** Events of a session (spec 2, "Catalog"): they carry `sessionId`, `agentId` and `identifier`. */
export const SESSION_EVENTS = {
  "call.started": {
    summary: "Media is live: once a call, never for one that did not connect.",
    schema: z.object({ event: z.literal("call.started"), ...callEvent, from: z.string().nullable() }),
    sample: { event: "call.started", ...call, from: null },
  },
  "call.ended": {
    summary: "The call is over, also one that never connected.",
    schema: z.object({
      event: z.literal("call.ended"),
      ...callEvent,
      durationSecs: z.int().min(0),
      endTime: timestamp,
      messageCount: z.int().min(0),
      answeredBy: z.string().nullable(),
      endReason: z.string().nullable(),
      fromOrTo: z.string().nullable(),
      /** With `includeRecording`, when there is one. */
      recording: recording.optional(),
      /** With `includeTranscript`, when there is one. */
      transcript: z
        .array(z.object({ role: z.enum(["user", "assistant"]), text: z.string(), at: timestamp }))
        .optional(),
    }),
    sample: {
      event: "call.ended",
      ...call,
      durationSecs: 88,
      endTime: "2026-11-20T10:15:30.000Z",
      messageCount: 2,
      answeredBy: null,
      endReason: "agent_end_call",
      fromOrTo: null,
      recording: sampleRecording,
      transcript: [
        { role: "assistant", text: "Hello, how can I help?", at: "2026-11-20T10:14:03.000Z" },
        { role: "user", text: "I want to book a table.", at: "2026-11-20T10:14:09.000Z" },
      ],
    },
  },
  "call.machine_detected": {
    summary: "A machine answered.",
    schema: z.object({
      event: z.literal("call.machine_detected"),
      ...machineEvent,
      answeredBy: z.enum(MACHINE_VERDICTS),
      action: z.enum(["ivr_hangup", "call_screen", "amd_hangup", "voicemail_drop"]),
      callContinues: z.boolean(),
      detectedAt: timestamp,
    }),
    sample: {
      event: "call.machine_detected",
      ...SAMPLE.session,
      direction: "outbound",
      channel: "telephony",
      callSid: "CA0123456789abcdef",
      fromNumber: "+15550001111",
      toNumber: "+15550002222",
      answeredBy: "machine_end_beep",
      action: "voicemail_drop",
      callContinues: false,
      detectedAt: "2026-11-20T10:15:29.400Z",
    },
  },
  "call.dtmf": {
    summary: "The caller pressed a key. Not redacted.",
    schema: z.object({ event: z.literal("call.dtmf"), ...sessionEvent, digit }),
    sample: { event: "call.dtmf", ...SAMPLE.session, digit: "5" },
  },
  "transcript.ready": {
    summary: "Somebody said something.",
    schema: z.object({
      event: z.literal("transcript.ready"),
      ...sessionEvent,
      role: z.enum(["user", "assistant"]),
      text: z.string(),
    }),
    sample: {
      event: "transcript.ready",
      ...SAMPLE.session,
      role: "user",
      text: "I want to book a table.",
    },
  },
  "tool.invoked": {
    summary: "The agent used a tool.",
    schema: z.object({
      event: z.literal("tool.invoked"),
      ...sessionEvent,
      name: z.string(),
      arguments: z.union([z.record(z.string(), z.unknown()), z.string(), z.null()]),
      result: z.unknown(),
      status: toolStatusSchema,
      latencyMs: z.int().min(0),
    }),
    sample: {
      event: "tool.invoked",
      ...SAMPLE.session,
      name: "book_table",
      arguments: { people: 2 },
      result: { booked: true },
      status: "success",
      latencyMs: 132,
    },
  },
  "recording.ready": {
    summary: "A recording is stored.",
    schema: z.object({
      event: z.literal("recording.ready"),
      ...sessionEvent,
      sessionId: z.string().nullable(),
      identifier: z.string().nullable().optional(),
      recordingId: z.string(),
      durationSecs: z.int().nullable(),
      recording: recording.partial({ url: true, expiresAt: true }),
    }),
    sample: {
      event: "recording.ready",
      ...SAMPLE.session,
      recordingId: sampleRecording.id,
      durationSecs: 88,
      recording: sampleRecording,
    },
  },
  "call.analyzed": {
    summary: "The analysis of a call is done.",
    schema: z.object({
      event: z.literal("call.analyzed"),
      ...sessionEvent,
      piiCollected: z.array(
        z.object({
          id: z.string(),
          ruleSlug: z.string(),
          fieldKey: z.string().nullable(),
          source: z.string(),
          expiresAt: z.string(),
          collected: z.literal(true),
        }),
      ),
      analysis: z.object({
        summary: z.string().nullable(),
        sentiment: z.enum(["positive", "neutral", "negative"]).nullable(),
        sentimentScore: z.number().min(-1).max(1).nullable(),
        disposition: z.string().nullable(),
        actionItems: z.array(z.string()),
        customData: z.record(z.string(), z.unknown()),
        evidence: z.record(z.string(), z.unknown()),
        qa: z.array(z.object({ key: z.string(), met: z.boolean(), evidence: z.string() })),
        objections: z.array(z.unknown()),
        coaching: z.array(z.unknown()),
        hallucinations: z.array(z.unknown()),
        score: z.number().min(0).max(100).nullable(),
        cx: z.object({
          rating: z.unknown(),
          friction: z.array(z.unknown()),
          highlights: z.array(z.unknown()),
        }),
        topics: z.array(z.string()),
        keywords: z.array(z.string()),
        talkRatio: z.object({
          agentWords: z.int(),
          customerWords: z.int(),
          agentTurns: z.int(),
          customerTurns: z.int(),
        }),
        model: z.string(),
      }),
    }),
    sample: {
      event: "call.analyzed",
      ...SAMPLE.session,
      piiCollected: [],
      analysis: {
        summary: "The caller booked a table for two.",
        sentiment: "positive",
        sentimentScore: 0.7,
        disposition: "booked",
        actionItems: [],
        customData: {},
        evidence: {},
        qa: [],
        objections: [],
        coaching: [],
        hallucinations: [],
        score: 92,
        cx: { rating: 5, friction: [], highlights: [] },
        topics: ["booking"],
        keywords: ["table"],
        talkRatio: { agentWords: 40, customerWords: 21, agentTurns: 4, customerTurns: 3 },
        model: "gpt-4o-mini",
      },
    },
  },
} as const;
