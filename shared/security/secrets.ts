import { createHash, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** SHA-256 in hex: the stored form of keys, codes, and tokens. */
export function sha256Hex(text: string): string {
  return hash("sha256", text);
}

/** An unguessable token of `bytes` random bytes, base64url. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** Compares without revealing by timing where two texts differ. */
export function timingSafeEqualText(a: string, b: string): boolean {
  const [left, right] = [createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest()];
  return timingSafeEqual(left, right);
}
