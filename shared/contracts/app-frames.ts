import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** `/api/app-frames`: where the frames of apps are. */
export const appFramesSchema = z.object({
  /** Of its own, so that a frame has nothing of the dashboard. */
  origin: z.string(),
});
export type AppFrames = z.infer<typeof appFramesSchema>;
export const appFramesResponseSchema = wrapped(appFramesSchema);
