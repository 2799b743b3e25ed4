import { createHash } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import { timingSafeEqualText } from "@parley/shared/security/secrets.ts";
import { z } from "zod";
import { assertRecent, refused, signedHeader } from "../callback-guard.ts";
import type { CarrierRequest } from "../carrier.ts";
import { verifyHs256 } from "./jwt.ts";
import type { VonageCredentials } from "./rest.ts";

const claimsSchema = z.object({
  iss: z.literal("Vonage"),
  api_key: z.string(),
  application_id: z.string().optional(),
  iat: z.number(),
  jti: z.string().min(1),
  payload_hash: z.string(),
});

/**
 * Verifies a JWT in `Authorization` that holds the body's hash; returns its id. The address and query are not covered,
 * so webhooks must be POST. Throws `AppError` unauthorized.
 */
export function verifyVonage(
  { signatureSecret, apiKey, applicationId }: VonageCredentials,
  { method, headers, body }: CarrierRequest,
  clock: Clock,
): string {
  const [scheme = "", token = ""] = signedHeader(headers, "authorization").split(" ");
  if (method !== "POST") throw refused("A GET is not covered by the signature: set the webhooks to POST");
  const { data: claims } = claimsSchema.safeParse(verifyHs256(token, signatureSecret));
  if (scheme.toLowerCase() !== "bearer" || !claims) {
    throw refused("Its token is not signed with this account's signatureSecret");
  }
  const isOurs =
    claims.api_key === apiKey &&
    (claims.application_id === undefined || claims.application_id === applicationId);
  if (!isOurs) throw refused("Its token is of another account or application");
  const hash = createHash("sha256").update(body).digest("hex");
  if (!timingSafeEqualText(hash, claims.payload_hash)) throw refused("Its token is of another body");
  assertRecent(claims.iat * 1_000, clock);
  return claims.jti;
}
