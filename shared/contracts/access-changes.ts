import { z } from "zod";

/**
 * Sent to every control API when a credential ends or its permissions change, so that none answers from its cache.
 * Each field names whose cached entries to drop.
 */
export const accessChangeSchema = z.union([
  z.object({ keyId: z.string() }),
  z.object({ sessionId: z.string() }),
  z.object({ userId: z.string() }),
]);
export type AccessChange = z.infer<typeof accessChangeSchema>;

export const ACCESS_CHANGES_CHANNEL = "access-changes";
