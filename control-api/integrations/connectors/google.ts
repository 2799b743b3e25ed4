import { z } from "zod";
import type { OAuthFacts } from "../connector.ts";
import type { VendorAnswer, VendorRefusal } from "../vendor/vendor.ts";

/** Shared by the Google connectors. */

const refused = z.object({
  error: z.object({
    message: z.string(),
    errors: z.array(z.object({ reason: z.string() })).optional(),
    status: z.string().optional(),
  }),
});
const TOO_OFTEN = new Set([
  ...["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"],
  "RESOURCE_EXHAUSTED",
]);

/** Consent at Google; scopes are given without their common URL prefix. */
export function googleConsent(...scopes: readonly string[]): OAuthFacts {
  return {
    authorizeUrl: () => "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: () => "https://oauth2.googleapis.com/token",
    revokeUrl: () => "https://oauth2.googleapis.com/revoke",
    issuer: "https://accounts.google.com",
    scopes: scopes.map((scope) => `https://www.googleapis.com/auth/${scope}`),
    // Without `prompt`, a user who consented before gets no refresh token.
    parameters: { access_type: "offline", prompt: "consent" },
  };
}

/** Google answers 403 both to excess requests and to forbidden ones. */
export function googleRefusal({ status, body }: VendorAnswer): VendorRefusal | undefined {
  const { data } = refused.safeParse(body);
  if (!data || status !== 403) return undefined;
  const { message: words, errors = [], status: named = "" } = data.error;
  const isTooOften = [...errors.map(({ reason }) => reason), named].some((reason) => TOO_OFTEN.has(reason));
  return isTooOften ? { problem: "rate_limited", words } : undefined;
}
