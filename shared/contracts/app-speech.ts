import { z } from "zod";
import { soundSchema } from "./call-plan.ts";
import { TTS_VENDORS } from "./speech-vendors.ts";

const MAX_SPOKEN_CHARS = 4_096;

/**
 * `POST /api/app-ai/tts`: text that an app's backend has spoken. The provider defaults to that of the organization's
 * newest agent.
 */
export const appSpeechSchema = z.strictObject({
  text: z.string().trim().min(1).max(MAX_SPOKEN_CHARS),
  provider: z.enum(TTS_VENDORS).optional(),
  /** A voice of the provider, as listed by /api/catalog. */
  voice: z.string().min(1).max(128).optional(),
  model: z.string().min(1).max(128).optional(),
  /** 1 is the voice's own speed, 2 is twice as fast. */
  speed: soundSchema.shape.speed.unwrap().optional(),
});
export type AppSpeechRequest = z.infer<typeof appSpeechSchema>;
