import { z } from "zod";
import { figureSchema } from "./bounds.ts";
import { DTMF_DIGITS, MAX_TEXT_CHARS } from "./call-constants.ts";
import { TRANSFER_FAILURES } from "./transfers.ts";

/**
 * Every message of the call socket (`/v1/calls/<sessionId>`), in one place. The gateway, the talk page, the load
 * generator, and the docs import this file. Extend it, never break it.
 */

export const AUDIO_ENCODINGS = ["pcm_s16le", "mulaw", "alaw", "opus"] as const;
export const SAMPLE_RATES = [8000, 16000, 24000, 48000] as const;

/** The audio format of both directions of a call socket. */
const audioFormatSchema = z
  .object({
    encoding: z.enum(AUDIO_ENCODINGS).default("pcm_s16le"),
    sampleRate: z.literal(SAMPLE_RATES).optional(),
  })
  .strict()
  .transform((audio) => ({
    encoding: audio.encoding,
    sampleRate: audio.sampleRate ?? DEFAULT_SAMPLE_RATE[audio.encoding],
  }))
  .refine((audio) => audio.encoding !== "opus" || audio.sampleRate === 48000, {
    message: "opus is one packet per message at sampleRate 48000",
  });

const DEFAULT_SAMPLE_RATE = { pcm_s16le: 16000, mulaw: 8000, alaw: 8000, opus: 48000 } as const;

export type AudioEncoding = (typeof AUDIO_ENCODINGS)[number];
export type SampleRate = (typeof SAMPLE_RATES)[number];
export interface AudioFormat {
  readonly encoding: AudioEncoding;
  readonly sampleRate: SampleRate;
}

/** Caller audio in one binary message: 10 to 100 ms (docs/call-socket.md#audio). */
export const AUDIO_MESSAGE_MS = { min: 10, max: 100 } as const;

export const dtmfDigitSchema = z.enum(DTMF_DIGITS);
/** Of `start`, null equals an absent field: many clients' languages write the fields that they have no value for. */
const startMessageSchema = z.object({
  type: z.literal("start"),
  audio: audioFormatSchema
    .nullish()
    .transform((audio): AudioFormat => audio ?? { encoding: "pcm_s16le", sampleRate: 16000 }),
  resume: z.string().max(256).nullish(),
});
/** Carriers' own messages have lower-case keys, too. */
const pressedKeySchema = z.preprocess(
  (digit) => (typeof digit === "string" ? digit.toUpperCase() : digit),
  dtmfDigitSchema,
);

/** Text messages that a client may send. Unknown keys inside a known message are ignored. */
export const clientMessageSchema = z.discriminatedUnion("type", [
  startMessageSchema,
  z.object({ type: z.literal("text"), text: z.string().trim().min(1).max(MAX_TEXT_CHARS) }),
  z.object({ type: z.literal("dtmf"), digit: pressedKeySchema }),
  z.object({ type: z.literal("mark"), name: z.string().min(1).max(128) }),
  z.object({ type: z.literal("clear"), playedMs: z.number().min(0).max(86_400_000) }),
  z.object({ type: z.literal("hangup") }),
  /** From a manual call's softphone: while on hold, neither side hears the other. */
  z.object({ type: z.literal("hold"), on: z.boolean() }),
  /** Answered immediately with a `pong` of the same id: measures the round trip. */
  z.object({ type: z.literal("ping"), id: z.int().min(0) }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;
/** Client messages that the call itself handles. */
export type CallMessage = Exclude<ClientMessage, { type: "start" | "ping" }>;
export const CLIENT_MESSAGE_TYPES = [
  "start",
  "text",
  "dtmf",
  "mark",
  "clear",
  "hangup",
  "hold",
  "ping",
] as const;

const audioFormat = z.object({ encoding: z.enum(AUDIO_ENCODINGS), sampleRate: z.literal(SAMPLE_RATES) });

/** Latency of one answered turn. All ms, all from one monotonic clock, never negative. */
export const turnMetricsSchema = z.object({
  /** End of the caller's voice → turn decided. 0 for a typed turn. */
  endOfTurnMs: figureSchema,
  /** Turn decided → request on the wire. 0 for a speculative request, made before the decision. */
  brainRequestMs: figureSchema.default(0),
  /** Request on the wire → first content from the brain. */
  brainFirstTokenMs: figureSchema,
  /** First content from the brain, or the turn decision if later → first clause handed to the voice. */
  firstClauseMs: figureSchema.default(0),
  /** First clause handed to the voice → its first audio. */
  ttsFirstByteMs: figureSchema,
  /** End of the caller's voice → first agent audio on the socket. */
  responseMs: figureSchema,
});
export type TurnMetrics = z.infer<typeof turnMetricsSchema>;

/** How audio arrived in the last two seconds. A frame is 20 ms. */
const arrivalSchema = z.object({
  /** Mean deviation of the interval between messages from their duration (RFC 3550, 6.4.1). */
  jitterMs: z.number().min(0),
  /** Audio waiting to be played out. */
  bufferedMs: z.int().min(0),
  /** Frames missing when due. Pauses of more than half a second are not counted. */
  lateFrames: z.int().min(0),
  /** Frames dropped because too much arrived at once. */
  lostFrames: z.int().min(0),
});
export type ArrivalFigures = z.infer<typeof arrivalSchema>;

/** Text messages that the gateway sends. */
export const serverMessageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("ready"),
    sessionId: z.string(),
    audio: audioFormat,
    resume: z.string(),
    mode: z.enum(["agent", "manual"]),
    /** "client": the gateway does not recognize speech, so send `text` messages; "server": just send audio. */
    recognition: z.enum(["client", "server"]),
  }),
  z.object({
    type: z.literal("transcript"),
    role: z.enum(["user", "assistant"]),
    text: z.string(),
    final: z.boolean(),
    turn: z.number().int().min(0),
    /** Of a final answer, as in the call's record: the caller did not hear the end of it. */
    interrupted: z.boolean().optional(),
  }),
  z.object({ type: z.literal("state"), state: z.enum(["listening", "thinking", "speaking"]) }),
  z.object({ type: z.literal("mark"), name: z.string() }),
  z.object({ type: z.literal("clear") }),
  z.object({ type: z.literal("metrics"), turn: z.number().int().min(0) }).extend(turnMetricsSchema.shape),
  z.object({ type: z.literal("dtmf"), digits: z.string() }),
  /** To both ends of a manual call: whether they hear each other. */
  z.object({ type: z.literal("leg"), state: z.enum(["connecting", "live"]) }),
  /** To a manual call's softphone: its transfer failed and the caller is back. */
  z.object({ type: z.literal("transfer"), state: z.literal("failed"), why: z.enum(TRANSFER_FAILURES) }),
  /** To a softphone that takes over a call on hold. */
  z.object({ type: z.literal("hold"), on: z.boolean() }),
  /** To a manual call's softphone, every two seconds: how its own audio and the phone's arrive at the gateway. */
  z.object({ type: z.literal("quality"), softphone: arrivalSchema, phone: arrivalSchema }),
  z.object({ type: z.literal("pong"), id: z.int().min(0) }),
  z.object({ type: z.literal("error"), code: z.string(), message: z.string(), fatal: z.boolean() }),
  z.object({ type: z.literal("ended"), reason: z.string() }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;
export type CallActivity = Extract<ServerMessage, { type: "state" }>["state"];

/** Codes of the call socket's `error` message. */
export const SOCKET_ERRORS = {
  malformed_json: "The text message is not JSON.",
  unknown_type: "The message type is not one this socket knows.",
  invalid_message: "A field of the message is missing or has a wrong value.",
  start_expected: "Send a start message before anything else.",
  already_started: "start may be sent once.",
  audio_length: "The audio message is not 10 to 100 ms long in the negotiated encoding.",
  speech_late: "The caller spoke and the recognizer gave no words in time; they still count when they come.",
  audio_decode: "The audio message could not be decoded in the negotiated encoding.",
  resume_invalid: "The resume token does not belong to this call.",
  audio_too_fast: "Audio arrives faster than real time; the surplus was dropped.",
  message_flood: "Too many messages; the surplus was dropped.",
  speech_failed: "Every configured speech vendor failed.",
  brain_failed: "The brain did not answer.",
} as const;
export type SocketErrorCode = keyof typeof SOCKET_ERRORS;
