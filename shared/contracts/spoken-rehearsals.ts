import { z } from "zod";
import { BACKGROUND_SOUNDS } from "./call-plan.ts";

/** How the caller of a spoken rehearsal sounds, and what came of it. */

/** The built-in voices that sound like people. */
export const CALLER_VOICES = ["rms", "slt", "awb"] as const;
export type CallerVoice = (typeof CALLER_VOICES)[number];

/** Where the caller is while they speak. */
export const callerNoiseSchema = z.strictObject({
  sound: z.enum(BACKGROUND_SOUNDS).exclude(["none"]),
  /** 0 is -46 dB of full scale, about 25 dB under the caller's voice; 20 is about 5 dB under it. */
  volumeDb: z.number().min(-20).max(20).default(0),
});
export type CallerNoise = z.infer<typeof callerNoiseSchema>;

export const rehearsalModeSchema = z.enum(["text", "speech"]);
export type RehearsalMode = z.infer<typeof rehearsalModeSchema>;

/** What was measured in a spoken rehearsal, at the caller's end of the line. */
export const spokenFiguresSchema = z.object({
  voice: z.enum(CALLER_VOICES),
  noise: callerNoiseSchema.nullable(),
  /** From the caller's last word to the first sound of the answer; null without any. */
  responseMs: z.object({ p50: z.int(), p95: z.int() }).nullable(),
  interruptions: z.object({
    /** Times that the caller talked over the agent. */
    made: z.int(),
    /** Those at which the agent stopped. */
    heeded: z.int(),
    /** From the caller's first sound until the agent stopped, at the slowest; null where it never did. */
    slowestMs: z.int().nullable(),
  }),
  /** Times that the agent began to speak before the caller had finished. */
  talkedOver: z.int(),
  /** The caller's words, and how many of them were understood as others, left out or made up. */
  words: z.object({ said: z.int(), wrong: z.int() }),
});
export type SpokenFigures = z.infer<typeof spokenFiguresSchema>;
