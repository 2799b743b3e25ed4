import { z } from "zod";
import { brainSchema, plannedBrainSchema } from "./brain-plan.ts";
import { DEFAULT_LINES } from "./default-lines.ts";
import { DEFAULT_PII_POLICY, piiPolicySchema } from "./pii.ts";
import { STT_VENDORS, TTS_VENDORS } from "./speech-vendors.ts";

/**
 * Everything a gateway must know to run one call, frozen by the control API when the session is made
 * and left on the bus under `callPlanKey`. The gateway reads no database.
 */

const ms = (min: number, max: number, standard: number) =>
  z.number().int().min(min).max(max).default(standard);

/** When the caller's turn is over. */
const endpointingSchema = z.object({
  /** Floor: what sounds finished is answered this long after the voice ended, and nothing any sooner. */
  minMs: ms(0, 5_000, 350),
  /**
   * Ceiling: what sounds unfinished is waited for this long after the voice ended, and nothing any longer. In between the wait
   * follows how finished the words sound and how long the caller has paused before.
   */
  maxMs: ms(100, 15_000, 2_500),
  /** Ask the brain on a likely end of turn already, and drop the answer when the caller goes on. */
  speculative: z.boolean().default(true),
  /** Wall-clock cap on one turn, whatever the recognizer does. */
  maxTurnMs: ms(2_000, 600_000, 60_000),
  /**
   * A recognizer that has not finalized this long after the voice ended is overruled by its interim text; without any, the
   * fallback line is spoken, and the words still count when they come. One that takes an utterance at a time is waited for
   * as long as it may take by its own time limit, where that is longer.
   */
  finalTimeoutMs: ms(200, 30_000, 4_000),
});

const interruptionSchema = (minSpeechMs: number) =>
  z.object({
    enabled: z.boolean().default(true),
    /** Clear voice that must last this long. */
    minSpeechMs: ms(20, 10_000, minSpeechMs),
    /** Words that must be recognized; with 0 one is enough, and so is a clear voice that lasts. */
    minWords: z.number().int().min(0).max(20).default(0),
  });

export const turnTakingSchema = z.object({
  endpointing: endpointingSchema.prefault({}),
  /** While the agent speaks: voice of `minSpeechMs` lowers the answer, words stop it. */
  bargeIn: interruptionSchema(200)
    .extend({
      /** Voice without words for this long after it ended is a false alarm: the answer goes on. */
      falseAlarmMs: ms(0, 10_000, 1_200),
      /** Clear voice that lasts this long stops the answer even before its words are known. */
      confirmSpeechMs: ms(100, 10_000, 1_200),
    })
    .prefault({}),
  /**
   * While the brain thinks and nothing was spoken yet: the turn goes on with what is added. Words do it; voice of
   * `minSpeechMs` does where the recognizer gives no words before the voice is over.
   */
  thinkingInterruption: interruptionSchema(800).prefault({}),
  /** The first response can be talked over. */
  firstResponseInterruptible: z.boolean().default(true),
});
export type TurnTaking = z.infer<typeof turnTakingSchema>;

const silenceSchema = z.object({
  /** Silence of both sides before a prompt is spoken; 0 never prompts. */
  promptAfterMs: ms(0, 600_000, 12_000),
  prompts: z.array(z.string().min(1).max(1_000)).max(5).default([DEFAULT_LINES.silence]),
  /** After the last prompt, or from the start without prompts, the call ends with `silence_hangup`; 0 never. */
  hangupAfterMs: ms(0, 3_600_000, 20_000),
});

const waitingSchema = z.object({
  /** Nothing of an answer is heard for this long after the caller's voice ended: the line is spoken; 0 never. */
  afterMs: ms(0, 60_000, 2_000),
  /** Once a turn, before the answer, which follows it; empty says nothing. */
  line: z.string().max(1_000).default(DEFAULT_LINES.waiting),
  /** The other line, each time another so long goes by from the line before; 0 says no other. */
  againAfterMs: ms(0, 60_000, 6_000),
  againLine: z.string().max(1_000).default(DEFAULT_LINES.waitingAgain),
});

/** Places that an agent can seem to be in; their sounds are made by Parley itself (media/background). */
export const BACKGROUND_SOUNDS = ["none", "office", "cafe", "call-center"] as const;
export type BackgroundSound = (typeof BACKGROUND_SOUNDS)[number];

/** How the agent's voice sounds, whoever speaks. */
export const soundSchema = z.object({
  /** 2 is twice as fast. As far as the voice's vendor goes along (docs/decisions/turns.md#speed-voice-vendors-make). */
  speed: z.number().min(0.5).max(2).default(1),
  /** Louder or softer than the vendor made it. */
  volumeDb: z.number().min(-20).max(12).default(0),
  /** Heard under the agent's voice and between its answers for the whole call. */
  background: z.enum(BACKGROUND_SOUNDS).default("none"),
  /** 0 is -46 dB of full scale, about 25 dB under a voice. */
  backgroundVolumeDb: z.number().min(-20).max(6).default(0),
});

/** What becomes of a call whose recognizers have all failed. */
const outageSchema = z.object({
  /** Said then, and again to who has spoken since; empty says nothing. */
  hearingLine: z.string().max(1_000).default(DEFAULT_LINES.hearing),
  /** A phone call in which no key is pressed either ends with `internal_error` after this long; 0 never. */
  hangupAfterMs: ms(0, 600_000, 30_000),
});

/** How the caller's sound is heard. What is recorded and what watchers get stays as it came. */
const hearingSchema = z.object({
  /**
   * Noise is taken out of what the recognizer gets: `auto` in rooms that are not quiet, while the node has room for it;
   * `on` whatever the room and the load; `off` never.
   */
  noiseSuppression: z.enum(["auto", "on", "off"]).default("auto"),
  /**
   * Who tells voice from other sounds: `neural` a model, which takes music and noise for what they are; `webrtc` the
   * cheap detector; `auto` the model while the node has room for it.
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

/** The part of a plan an agent's owner configures. */
export const agentSettingsSchema = z.object({
  brain: brainSchema,
  /** First one is used, the next ones take over when it fails in the middle of a call. */
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

/** Another agent that may go on with a call, as it was when the call began. */
const teamMemberSchema = z.object({
  agentId: z.string(),
  agentVersion: z.number().int(),
  brain: plannedBrainSchema,
  tts: agentSettingsSchema.shape.tts,
  sound: soundSchema.prefault({}),
  /** Its placeholders are filled when it takes the call over. */
  firstResponse: agentSettingsSchema.shape.firstResponse,
});
export type TeamMember = z.infer<typeof teamMemberSchema>;

export const callPlanSchema = agentSettingsSchema.extend({
  brain: plannedBrainSchema,
  /** Whom the agent can hand the caller to, and whom those can. */
  team: z.array(teamMemberSchema).default([]),
  sessionId: z.string(),
  callId: z.string(),
  orgId: z.string(),
  agentId: z.string(),
  userId: z.string(),
  identifier: z.string().nullable(),
  /** Whether somebody vouches for the identifier. Who calls in may show any number: tools are not told it as an identity. */
  isIdentified: z.boolean().default(true),
  mode: z.literal("agent").default("agent"),
  /** Context variables, the built-in date and time ones included. */
  variables: z.record(z.string(), z.string()),
  /** What must not be kept of what is said, as the organization had it when the session was made. */
  pii: piiPolicySchema.default(DEFAULT_PII_POLICY),
  /** Node the session was placed on. */
  nodeId: z.string(),
  createdAt: z.iso.datetime(),
});
export type CallPlan = z.infer<typeof callPlanSchema>;

/** A call between two people: a softphone and a phone. No agent, so nothing of an agent's. */
export const manualPlanSchema = z.object({
  mode: z.literal("manual"),
  sessionId: z.string(),
  callId: z.string(),
  orgId: z.string(),
  userId: z.string(),
  /** Somebody calls the member: their phone hears it ring until a softphone comes. Else the member has called. */
  incoming: z.boolean().default(false),
  /** When the other side has not come by then, nobody answered. */
  answerWithinMs: ms(1_000, 600_000, 120_000),
  maxDurationMs: ms(1_000, 14_400_000, 14_400_000),
  recording: z.boolean().default(true),
  nodeId: z.string(),
  createdAt: z.iso.datetime(),
});
export type ManualPlan = z.infer<typeof manualPlanSchema>;

/** What lies under `callPlanKey`. */
export const anyPlanSchema = z.union([manualPlanSchema, callPlanSchema]);
export type AnyPlan = z.infer<typeof anyPlanSchema>;

export const callPlanKey = (sessionId: string): string => `plan:${sessionId}`;

/** Set by the node that takes the plan, until the call is told of under `liveCallKey`: nobody is to think meanwhile that it is over. */
export const openingCallKey = (sessionId: string): string => `opening:${sessionId}`;

/** Set by the holder while the call lives; its value is the holder's node id. */
export const liveCallKey = (sessionId: string): string => `live:${sessionId}`;

/** Set while a phone's media is on its way: for so many ms, in decimal digits, the agent keeps quiet from the first. */
export const muteKey = (sessionId: string): string => `mute:${sessionId}`;
