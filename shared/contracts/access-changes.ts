import { z } from "zod";

/**
 * Told to every control API when a credential ends or may do something else, so that none answers from what
 * it remembers. Each field names whose memory to drop.
 */
export const accessChangeSchema = z.union([
  z.object({ keyId: z.string() }),
  z.object({ sessionId: z.string() }),
  z.object({ userId: z.string() }),
]);
export type AccessChange = z.infer<typeof accessChangeSchema>;

export const ACCESS_CHANGES_CHANNEL = "access-changes";
