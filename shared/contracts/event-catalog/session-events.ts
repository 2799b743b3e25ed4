import { z } from "zod";
import { MACHINE_VERDICTS } from "../machine-verdict.ts";
import { toolStatusSchema } from "../tool-status.ts";
import { callAnalysis, collectedPii } from "./call-analysis.ts";
import { about, callEvent, machineEvent, SAMPLE, sessionEvent, timestamp } from "./fields.ts";
import {
  ANSWERED_BY,
  END_REASONS_TOLD,
  MACHINE_ACTIONS,
  MACHINES_DETECTED,
  ROLES,
  TOOL_STATUSES,
} from "./values.ts";

const recording = z.object({
  id: about(z.string(), "the recording"),
  url: about(z.string(), "where it can be fetched for an hour, without a key"),
  expiresAt: about(timestamp, "until when"),
});
const role = about(z.enum(["user", "assistant"]), "who said it", ROLES);
const digit = about(
  z.enum([..."0123456789#*ABCD"]),
  "the key, letters in capitals; an event each. Not redacted",
);

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

/** Session events (docs/webhooks.md#the-events): they carry `sessionId`, `agentId`, and `identifier`. */
export const SESSION_EVENTS = {
  "call.started": {
    summary: "The call or chat is live. Sent once; never for a call that did not connect.",
    schema: z.object({
      event: z.literal("call.started"),
      ...callEvent,
      from: about(
        z.string(),
        "legacy: the agent's own number, empty where there is none; use `fromNumber` and `toNumber`",
      ),
    }),
    sample: { event: "call.started", ...call, from: "" },
  },
  "call.ended": {
    summary: "The call or chat ended. Also sent for calls that never connected.",
    schema: z.object({
      event: z.literal("call.ended"),
      ...callEvent,
      durationSecs: about(
        z.int().min(0),
        "whole seconds from `startTime` to the end, ringing included where it never connected; not what is billed",
      ),
      endTime: about(timestamp, "when it ended, RFC 3339 with 0 to 9 fractional digits"),
      messageCount: about(z.int().min(0), "everything that was said, by both sides"),
      answeredBy: about(
        z.string().nullable(),
        "who answered, as far as that was known then; null when it was not looked for, or not known yet. Do not take voicemail from it alone: see `call.machine_detected`",
        ANSWERED_BY,
      ),
      endReason: about(
        z.string().nullable(),
        "why it ended; null when one side simply hung up",
        END_REASONS_TOLD,
      ),
      fromOrTo: about(z.string(), "legacy: the same as `from` of `call.started`"),
      recording: about(recording.optional(), "only with `includeRecording`, and when there is one by then"),
      transcript: about(
        z
          .array(
            z.object({
              role,
              text: about(
                z.string(),
                "what was said, masked by the PII policy; at most 8,000 bytes of UTF-8",
              ),
              at: about(timestamp, "when"),
            }),
          )
          .optional(),
        "only with `includeTranscript`, and when anything was said; the last 500 messages, oldest first",
      ),
    }),
    sample: {
      event: "call.ended",
      ...call,
      durationSecs: 88,
      endTime: "2026-11-20T10:15:30.000Z",
      messageCount: 2,
      answeredBy: null,
      endReason: "agent_end_call",
      fromOrTo: "",
      recording: sampleRecording,
      transcript: [
        { role: "assistant", text: "Hello, how can I help?", at: "2026-11-20T10:14:03.000Z" },
        { role: "user", text: "I want to book a table.", at: "2026-11-20T10:14:09.000Z" },
      ],
    },
  },
  "call.machine_detected": {
    summary: "An answering machine, a phone menu or a call screener answered.",
    schema: z.object({
      event: z.literal("call.machine_detected"),
      ...machineEvent,
      answeredBy: about(z.enum(MACHINE_VERDICTS), "what answered", MACHINES_DETECTED),
      action: about(
        z.enum(["ivr_hangup", "call_screen", "amd_hangup", "voicemail_drop"]),
        "what was done",
        MACHINE_ACTIONS,
      ),
      callContinues: about(z.boolean(), "true for `call_screen` only"),
      detectedAt: about(timestamp, "when that was settled, close to `occurredAt`"),
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
    summary: "One side said something.",
    schema: z.object({
      event: z.literal("transcript.ready"),
      ...sessionEvent,
      role,
      text: about(
        z.string(),
        "what was said, masked by the PII policy; keys that were pressed may be part of it",
      ),
    }),
    sample: {
      event: "transcript.ready",
      ...SAMPLE.session,
      role: "user",
      text: "I want to book a table.",
    },
  },
  "tool.invoked": {
    summary: "The agent called a tool.",
    schema: z.object({
      event: z.literal("tool.invoked"),
      ...sessionEvent,
      name: about(z.string(), "the tool"),
      arguments: about(
        z.union([z.record(z.string(), z.unknown()), z.string(), z.null()]),
        "as the model gave them; a string when that was no JSON. What the tool declares as not to be shown is blank, texts are masked",
      ),
      result: about(
        z.unknown(),
        "what it gave, up to 1,048,576 bytes; an object with `error` when it failed. Masked like `arguments`",
      ),
      status: about(toolStatusSchema, "what came of it", TOOL_STATUSES),
      latencyMs: about(z.int().min(0), "how long it took, in milliseconds"),
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
    summary: "The recording is ready.",
    schema: z.object({
      event: z.literal("recording.ready"),
      ...sessionEvent,
      sessionId: about(z.string().nullable(), "the session; null when it is not known"),
      identifier: about(
        z.string().nullable().optional(),
        "as in every event of a session; absent when `sessionId` is null",
      ),
      recordingId: about(z.string(), "the recording"),
      durationSecs: about(z.int().nullable(), "how long it is; null when that is not known"),
      recording: about(
        recording.partial({ url: true, expiresAt: true }),
        "where it is; only `id` when no address could be signed, so look whether there is a `url`",
      ),
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
    summary: "The analysis of the call is ready.",
    schema: z.object({
      event: z.literal("call.analyzed"),
      ...sessionEvent,
      piiCollected: about(
        z.array(collectedPii),
        "personal data that was put into the vault; never the values",
      ),
      analysis: about(callAnalysis, "all 17 keys are always there; what is not set up is empty"),
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
