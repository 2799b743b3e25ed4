import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";

/** Links to recordings, and what is shown of them. */

export const recordingLinkSchema = z.object({
  id: z.string(),
  /** Opens without a key until `expiresAt`. */
  url: z.string(),
  expiresAt: z.iso.datetime(),
});

export const recordingParamsSchema = z.object({ id: z.string().min(1).max(64) });
export const signedQuerySchema = z.object({
  /** Unix seconds. */
  expires: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  signature: z.string().min(1).max(128),
});

/** For each channel (the caller, the agent) the lowest and the highest of 8 bits, point after point. */
export const waveformSchema = z.object({ points: z.int(), channels: z.array(z.array(z.int())) });
export type Waveform = z.infer<typeof waveformSchema>;
export const waveformResponseSchema = wrapped(waveformSchema);
export const recordingLinkResponseSchema = wrapped(recordingLinkSchema);

export const orgRecordingParamsSchema = orgParamsSchema.extend({ id: z.string().min(1).max(64) });
export const recordingDeletedResponseSchema = wrapped(z.object({ id: z.string() }));
export const contentDeletedResponseSchema = wrapped(z.object({ id: z.string(), sessionId: z.string() }));
