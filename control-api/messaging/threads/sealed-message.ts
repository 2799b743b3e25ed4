import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { z } from "zod";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";

/** Sealed content of an inbound message, kept while work on it remains. */
const sealedSchema = z.object({
  /** What the agent is told. */
  words: z.string(),
  /** Event data not stored elsewhere; absent once the event is raised. */
  told: z
    .object({ body: z.string().nullable(), content: z.unknown(), raw: z.unknown(), from: z.string() })
    .optional(),
});
export type SealedMessage = z.infer<typeof sealedSchema>;

export function sealMessage(secrets: SecretBox, id: string, message: SealedMessage): string {
  return secrets.seal(JSON.stringify(message), SEAL_CONTEXT.channelMessage(id));
}

/** Throws `AppError` internal if its key is gone from SECRETS_KEY. */
export function openMessage(secrets: SecretBox, id: string, sealed: string): SealedMessage {
  return sealedSchema.parse(JSON.parse(secrets.open(sealed, SEAL_CONTEXT.channelMessage(id))));
}
