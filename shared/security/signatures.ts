import { createHmac, type KeyObject } from "node:crypto";
import { timingSafeEqualText } from "./secrets.ts";

/** The value of `X-Service-Signature`: `sha256=<hex>`, HMAC-SHA256 over the raw bytes (docs/webhooks.md#what-you-receive). */
export function signBody(secret: string | KeyObject, body: Uint8Array | string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** True when `signature` belongs to this body; compares in constant time. */
export function verifyBody(secret: string, body: Uint8Array | string, signature: string): boolean {
  return timingSafeEqualText(signBody(secret, body), signature);
}
