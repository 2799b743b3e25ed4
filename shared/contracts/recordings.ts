import { z } from "zod";

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
