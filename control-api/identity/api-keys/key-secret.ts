import { randomToken } from "@parley/shared/security/secrets.ts";

/** Followed by a random token of 256 bits. */
const PREFIX = "parley_live_";
const SECRET_BYTES = 32;

export function newKeySecret(): string {
  return PREFIX + randomToken(SECRET_BYTES);
}

/** Whether a text has the form of an API key, valid or not. */
export function isKeySecret(text: string): boolean {
  return text.startsWith(PREFIX);
}
