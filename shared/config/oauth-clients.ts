import { z } from "zod";

/** Parley as the operator registered it with a vendor. */
export const oauthClientSchema = z.strictObject({
  /** A connector's id, or the issuer URL of an authorization server. */
  provider: z.string().min(1).max(2_048),
  clientId: z.string().min(1).max(2_048),
  clientSecret: z.string().min(1).max(4_096).optional(),
});
export type OAuthClientConfig = z.infer<typeof oauthClientSchema>;
