import { z } from "zod";

/** What a request brings to a page's stream, whichever node that is on; the stream's own node checks all of it. */
export const relayedSchema = z.object({
  orgId: z.string(),
  userId: z.string(),
  appId: z.string(),
  /** The frame's token. */
  token: z.string().optional(),
  /** A request of the bridge, or the cancellation of one. */
  body: z.unknown(),
});
export type Relayed = z.infer<typeof relayedSchema>;
