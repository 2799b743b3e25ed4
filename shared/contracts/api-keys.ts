import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";
import { roleSchema } from "./role-schema.ts";

/** `/api/orgs/{orgId}/api-keys`. */

export const apiKeySchema = z.object({
  id: z.string(),
  org_id: z.string(),
  name: z.string(),
  role: roleSchema,
  last_four: z.string(),
  created_by: z.string(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  created_at: z.string(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export const createKeySchema = z.strictObject({
  name: z.string().trim().min(1).max(128),
  role: roleSchema.default("developer"),
});
export const keyParamsSchema = orgParamsSchema.extend({ keyId: z.string().min(1).max(64) });
export const keysResponseSchema = wrapped(z.object({ apiKeys: z.array(apiKeySchema), total: z.int() }));
/** The secret is shown here and never again. */
export const keyCreatedResponseSchema = wrapped(z.object({ key: apiKeySchema, secret: z.string() }));
export const keyRevokedResponseSchema = wrapped(z.object({ key: apiKeySchema }));
