import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** `/api/orgs/{orgId}/pii-vault`: personal data that calls were configured to collect. */

export const vaultParamsSchema = z.object({ orgId: z.string(), id: z.string().min(1).max(64) });

export const readVaultSchema = z.strictObject({
  /** The reason for reading; recorded in the audit log. */
  reason: z.string().trim().min(3).max(500),
});
export const vaultValueResponseSchema = wrapped(z.object({ id: z.string(), value: z.string() }));
