import { z } from "zod";
import { brainSchema, plannedBrainSchema } from "./brain-plan.ts";
import { DEFAULT_LINES } from "./default-lines.ts";
import { DEFAULT_PII_POLICY, piiPolicySchema } from "./pii.ts";
import { SIMULATION } from "./simulation.ts";
import { STT_VENDORS, TTS_VENDORS } from "./speech-vendors.ts";

/**
 * Everything a gateway must know to run one call, frozen by the control API when the session is created and left on
 * the bus under `callPlanKey`. The gateway reads no database.
 */

const ms = (min: number, max: number, standard: number) =>
  z.number().int().min(min).max(max).default(standard);

/** Endpointing: when the caller's turn ends. */
const endpointingSchema = z.object({
  /** Floor: a finished-sounding turn is answered this long after the voice ended, and never sooner. */
  minMs: ms(0, 5_000, 350),
  /**
   * Ceiling: an unfinished-sounding turn is answered this long after the voice ended, and never later. In between,
   * the wait depends on how finished the words sound and how long the caller has paused before.
   */
  maxMs: ms(100, 15_000, 2_500),
  /** Asks the brain on a likely end of turn, and discards the answer if the caller continues. */
  speculative: z.boolean().default(true),
  /** Wall-clock cap on one turn, whatever the recognizer does. */
  maxTurnMs: ms(2_000, 600_000, 60_000),
  /**
   * A recognizer without a final transcript this long after the voice ended is overruled by its partial transcript;
   * without a partial, the fallback line is spoken, and late words still count. An utterance-at-a-time recognizer
   * gets its own time limit if that is longer.
   */
  finalTimeoutMs: ms(200, 30_000, 4_000),
});

const interruptionSchema = (minSpeechMs: number) =>
  z.object({
    enabled: z.boolean().default(true),
    /** Minimum duration of clear voice. */
    minSpeechMs: ms(20, 10_000, minSpeechMs),
    /** Words that must be recognized; with 0, one word is enough, and so is clear voice that lasts. */
    minWords: z.number().int().min(0).max(20).default(0),
  });

export const turnTakingSchema = z.object({
  endpointing: endpointingSchema.prefault({}),
  /** Barge-in, while the agent speaks: voice of `minSpeechMs` lowers the answer's volume, words stop it. */
  bargeIn: interruptionSchema(200)
    .extend({
      /** Voice still without words this long after it ended is a false alarm: the answer continues. */
      falseAlarmMs: ms(0, 10_000, 1_200),
      /** Clear voice that lasts this long stops the answer even before its words are known. */
      confirmSpeechMs: ms(100, 10_000, 1_200),
    })
    .prefault({}),
  /**
   * While the brain thinks and nothing was spoken yet, the caller's additions extend the turn. Words do so; voice of
   * `minSpeechMs` does if the recognizer gives no words before the voice is over.
   */
  thinkingInterruption: interruptionSchema(800).prefault({}),
  /** Whether the caller can interrupt the first response. */
  firstResponseInterruptible: z.boolean().default(true),
});
export type TurnTaking = z.infer<typeof turnTakingSchema>;

const silenceSchema = z.object({
  /** Silence of both sides before a prompt is spoken; 0 never prompts. */
  promptAfterMs: ms(0, 600_000, 12_000),
  prompts: z.array(z.string().min(1).max(1_000)).max(5).default([DEFAULT_LINES.silence]),
  /**
   * Silence after the last prompt, or from the start without prompts, before the call ends with `silence_hangup`; 0
   * never.
   */
  hangupAfterMs: ms(0, 3_600_000, 20_000),
});

const waitingSchema = z.object({
  /** Speaks the line when no answer is heard this long after the caller's voice ended; 0 never. */
  afterMs: ms(0, 60_000, 2_000),
  /** Spoken once per turn, before the answer; empty says nothing. */
  line: z.string().max(1_000).default(DEFAULT_LINES.waiting),
  /** Interval after which the other line is spoken, and spoken again; 0 never. */
  againAfterMs: ms(0, 60_000, 6_000),
  againLine: z.string().max(1_000).default(DEFAULT_LINES.waitingAgain),
});

/** Places the agent can seem to be in; Parley synthesizes their sounds itself (media/background). */
export const BACKGROUND_SOUNDS = ["none", "office", "cafe", "call-center"] as const;
export type BackgroundSound = (typeof BACKGROUND_SOUNDS)[number];

/** How the agent's voice sounds, whichever vendor speaks. */
export const soundSchema = z.object({
  /**
   * 2 is twice as fast, as far as the voice's vendor supports it (docs/decisions/turns.md#speed-voice-vendors-make).
   */
  speed: z.number().min(0.5).max(2).default(1),
  /** Gain relative to the vendor's volume. */
  volumeDb: z.number().min(-20).max(12).default(0),
  /** Played under the agent's voice and between its answers for the whole call. */
  background: z.enum(BACKGROUND_SOUNDS).default("none"),
  /** 0 is -46 dB of full scale, about 25 dB under a voice. */
  backgroundVolumeDb: z.number().min(-20).max(6).default(0),
});

/** What happens to a call whose recognizers have all failed. */
const outageSchema = z.object({
  /** Spoken on the failure, and again to a caller who has spoken since; empty says nothing. */
  hearingLine: z.string().max(1_000).default(DEFAULT_LINES.hearing),
  /** A phone call in which no key is pressed either ends with `internal_error` after this long; 0 never. */
  hangupAfterMs: ms(0, 600_000, 30_000),
});

/** How the caller's audio is processed for recognition. Recordings and watchers get the original. */
const hearingSchema = z.object({
  /**
   * Noise suppression of the recognizer's input: `auto` in rooms that are not quiet, while the node has capacity;
   * `on` regardless of room and load; `off` never.
   */
  noiseSuppression: z.enum(["auto", "on", "off"]).default("auto"),
  /**
   * The voice activity detector: `neural` is a model that recognizes music and noise; `webrtc` is the cheap detector;
   * `auto` uses the model while the node has capacity.
   */
  vad: z.enum(["auto", "neural", "webrtc"]).default("auto"),
});
export type HearingSettings = z.infer<typeof hearingSchema>;

/** One configured vendor; keys and addresses come from the gateway's own configuration. */
const sttChoiceSchema = z.object({
  vendor: z.enum(STT_VENDORS),
  model: z.string().max(128).optional(),
  language: z.string().max(35).default("en"),
});
const ttsChoiceSchema = z.object({
  vendor: z.enum(TTS_VENDORS),
  voice: z.string().max(128).optional(),
  model: z.string().max(128).optional(),
});

/** The part of a plan that an agent's owner configures. */
export const agentSettingsSchema = z.object({
  brain: brainSchema,
  /** The first is used; the next ones take over when it fails in the middle of a call. */
  stt: z
    .array(sttChoiceSchema)
    .min(1)
    .max(4)
    .default([{ vendor: "client", language: "en" }]),
  tts: z
    .array(ttsChoiceSchema)
    .min(1)
    .max(4)
    .default([{ vendor: "flite" }]),
  sound: soundSchema.prefault({}),
  firstResponse: z.string().max(4_000).optional(),
  hearing: hearingSchema.prefault({}),
  turnTaking: turnTakingSchema.prefault({}),
  silence: silenceSchema.prefault({}),
  waiting: waitingSchema.prefault({}),
  outage: outageSchema.prefault({}),
  maxDurationMs: ms(1_000, 14_400_000, 3_600_000),
  recording: z.boolean().default(true),
});

/** Another agent that may take over a call, as configured when the call began. */
const teamMemberSchema = z.object({
  agentId: z.string(),
  agentVersion: z.number().int(),
  brain: plannedBrainSchema,
  tts: agentSettingsSchema.shape.tts,
  sound: soundSchema.prefault({}),
  /** Placeholders are filled when the agent takes over the call. */
  firstResponse: agentSettingsSchema.shape.firstResponse,
});
export type TeamMember = z.infer<typeof teamMemberSchema>;

export const callPlanSchema = agentSettingsSchema.extend({
  brain: plannedBrainSchema,
  /** Agents that this one can hand the caller to, and those reachable from them. */
  team: z.array(teamMemberSchema).default([]),
  sessionId: z.string(),
  callId: z.string(),
  orgId: z.string(),
  agentId: z.string(),
  userId: z.string(),
  identifier: z.string().nullable(),
  /**
   * Whether someone vouches for the identifier. Callers can show any number, so tools are not given an unvouched one
   * as an identity.
   */
  isIdentified: z.boolean().default(true),
  mode: z.literal("agent").default("agent"),
  /** Set for a rehearsal: nobody is transferred, and the brain is told. */
  channel: z.literal(SIMULATION).optional(),
  /** Context variables, including the built-in date and time ones. */
  variables: z.record(z.string(), z.string()),
  /** The organization's PII policy when the session was created: what must not be kept of what is said. */
  pii: piiPolicySchema.default(DEFAULT_PII_POLICY),
  /** Node the session was placed on. */
  nodeId: z.string(),
  createdAt: z.iso.datetime(),
});
export type CallPlan = z.infer<typeof callPlanSchema>;

/** A call between two people, a softphone and a phone: no agent, and no agent settings. */
export const manualPlanSchema = z.object({
  mode: z.literal("manual"),
  sessionId: z.string(),
  callId: z.string(),
  orgId: z.string(),
  userId: z.string(),
  /** True: someone calls the member, and hears ringing until a softphone connects. False: the member called. */
  incoming: z.boolean().default(false),
  /** Time limit for the other side to connect; after it, nobody answered. */
  answerWithinMs: ms(1_000, 600_000, 120_000),
  maxDurationMs: ms(1_000, 14_400_000, 14_400_000),
  recording: z.boolean().default(true),
  nodeId: z.string(),
  createdAt: z.iso.datetime(),
});
export type ManualPlan = z.infer<typeof manualPlanSchema>;

/** The value under `callPlanKey`. */
export const anyPlanSchema = z.union([manualPlanSchema, callPlanSchema]);
export type AnyPlan = z.infer<typeof anyPlanSchema>;

export const callPlanKey = (sessionId: string): string => `plan:${sessionId}`;

/**
 * Set by the node that takes the plan until the call is under `liveCallKey`, so that nobody concludes meanwhile that
 * the call is over.
 */
export const openingCallKey = (sessionId: string): string => `opening:${sessionId}`;

/** Set by the holder while the call lives; its value is the holder's node id. */
export const liveCallKey = (sessionId: string): string => `live:${sessionId}`;

/**
 * Set for longer than a call may last when its record has ended because its node was lost: a node that was only held
 * up, or cut off from the bus, ends the call when it is back.
 */
export const lostCallKey = (sessionId: string): string => `lost:${sessionId}`;
export const LOST_CALL_KEPT_MS = 5 * 3_600_000;

/**
 * Set while a phone's media is on its way; its value is how many ms (decimal) the agent stays silent from the start.
 */
export const muteKey = (sessionId: string): string => `mute:${sessionId}`;
