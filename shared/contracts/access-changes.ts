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

/** The credential that somebody acts with. */
export interface ActingCredential {
  readonly userId: string;
  /** The key, whose creator `userId` is. */
  readonly keyId?: string | undefined;
  /** The user's sign-in. */
  readonly signInId?: string | undefined;
}

/** Whether the credential, or what it permits, may have changed. */
export function isAbout(change: AccessChange, { userId, keyId, signInId }: ActingCredential): boolean {
  if ("keyId" in change) return change.keyId === keyId;
  if ("sessionId" in change) return change.sessionId === signInId;
  return change.userId === userId;
}

export const ACCESS_CHANGES_CHANNEL = "access-changes";
