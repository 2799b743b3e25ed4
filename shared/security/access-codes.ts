import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * Hashes a code that people share by word of mouth. Codes are short, so the hash is slow to make guessing from a
 * stolen copy slow.
 */
export async function hashAccessCode(code: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(code.trim(), salt, HASH_BYTES);
  return `${salt.toString("base64url")}.${hash.toString("base64url")}`;
}

export async function isAccessCode(code: string, stored: string): Promise<boolean> {
  const [salt = "", hash = ""] = stored.split(".");
  const wanted = Buffer.from(hash, "base64url");
  const given = await derive(code.trim(), Buffer.from(salt, "base64url"), HASH_BYTES);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
