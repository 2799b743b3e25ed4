import { z } from "zod";
import type { OAuthFacts } from "../connector.ts";
import type { VendorAnswer, VendorRefusal } from "../vendor/vendor.ts";

/** What the connectors of Google have in common. */

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

/** Consent at Google for scopes that are named without their common address. */
export function googleConsent(...scopes: readonly string[]): OAuthFacts {
  return {
    authorizeUrl: () => "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: () => "https://oauth2.googleapis.com/token",
    revokeUrl: () => "https://oauth2.googleapis.com/revoke",
    issuer: "https://accounts.google.com",
    scopes: scopes.map((scope) => `https://www.googleapis.com/auth/${scope}`),
    // Without the second one who consented before gets no token to renew with.
    parameters: { access_type: "offline", prompt: "consent" },
  };
}

/** Too many requests are refused with 403 as well, which otherwise says what is not allowed. */
export function googleRefusal({ status, body }: VendorAnswer): VendorRefusal | undefined {
  const { data } = refused.safeParse(body);
  if (!data || status !== 403) return undefined;
  const { message: words, errors = [], status: named = "" } = data.error;
  const isTooOften = [...errors.map(({ reason }) => reason), named].some((reason) => TOO_OFTEN.has(reason));
  return isTooOften ? { problem: "rate_limited", words } : undefined;
}
