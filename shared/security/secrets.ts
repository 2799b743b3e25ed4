import { createHash, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** SHA-256 in hex: how keys, codes and tokens are stored. */
export function sha256Hex(text: string): string {
  return hash("sha256", text);
}

/** An unguessable token of `bytes` random bytes, base64url. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** Compares without telling by its time where two texts differ. */
export function timingSafeEqualText(a: string, b: string): boolean {
  const [left, right] = [createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest()];
  return timingSafeEqual(left, right);
}
