import { createHmac } from "node:crypto";
import { timingSafeEqualText } from "@parley/shared/security/secrets.ts";

/** Older events are replays. */
const TOLERANCE_SECS = 300;

/** The value of `Stripe-Signature`, as Stripe makes it (https://docs.stripe.com/webhooks#verify-manually). */
export function stripeSignature(secret: string, body: Uint8Array, atSecs: number): string {
  return `t=${atSecs},v1=${signed(secret, body, atSecs)}`;
}

/** Returns true if one of the secrets signed exactly these bytes within five minutes of now. */
export function isSignedByStripe(
  header: string,
  body: Uint8Array,
  { secrets, nowMs }: { readonly secrets: readonly string[]; readonly nowMs: number },
): boolean {
  const parts = header.split(",").map((part) => part.trim().split("="));
  const atSecs = Number(parts.find(([name]) => name === "t")?.[1]);
  if (!Number.isInteger(atSecs) || Math.abs(nowMs / 1_000 - atSecs) > TOLERANCE_SECS) return false;
  const given = parts.flatMap(([name, value = ""]) => (name === "v1" ? [value] : []));
  return secrets.some((secret) =>
    given.some((signature) => timingSafeEqualText(signed(secret, body, atSecs), signature)),
  );
}

function signed(secret: string, body: Uint8Array, atSecs: number): string {
  return createHmac("sha256", secret).update(`${atSecs}.`).update(body).digest("hex");
}
