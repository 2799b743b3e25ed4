import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** `/api/apps/frames`: where the frames of apps are served. */
export const appFramesSchema = z.object({
  /** A separate origin, so that a frame shares nothing with the dashboard. */
  origin: z.string(),
});
export type AppFrames = z.infer<typeof appFramesSchema>;
export const appFramesResponseSchema = wrapped(appFramesSchema);
