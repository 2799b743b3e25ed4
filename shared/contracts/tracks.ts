import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";

/** The library of files to play into manual calls (`trackId`). */

export * from "./track-limits.ts";

const name = z.string().trim().min(1).max(128);

export const trackParamsSchema = orgParamsSchema.extend({ id: z.string().min(1).max(64) });
/** The body is the file. */
export const uploadTrackQuerySchema = z.object({ name });
export const renameTrackSchema = z.strictObject({ name });

export const trackSchema = z.object({
  /** The `trackId` of `POST /api/sessions/{id}/play`. */
  id: z.string(),
  name: z.string(),
  durationMs: z.int(),
  sizeBytes: z.int(),
  sampleRateHz: z.int(),
  channels: z.int(),
  createdAt: z.iso.datetime(),
});
export type Track = z.infer<typeof trackSchema>;
export const trackResponseSchema = wrapped(trackSchema);
export const tracksResponseSchema = wrapped(
  z.object({
    tracks: z.array(trackSchema),
    total: z.int(),
    usedBytes: z.int(),
    /** No upload may raise `usedBytes` above this. */
    maxBytes: z.int(),
  }),
);
export const trackDeletedResponseSchema = wrapped(z.object({ id: z.string() }));
