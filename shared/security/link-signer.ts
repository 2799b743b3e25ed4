import { createHmac, hkdfSync } from "node:crypto";
import { AppError } from "../errors.ts";
import { parseSecretKeys } from "./secret-box.ts";
import { timingSafeEqualText } from "./secrets.ts";

const KEY_BYTES = 32;

/**
 * Signs the content of links that need no other credential. Keys are derived from SECRETS_KEY, one set per purpose:
 * the first signs, all of them verify.
 */
export class LinkSigner {
  readonly #first: Buffer;
  readonly #keys: readonly Buffer[];

  /** `secretsKey` has the format of SECRETS_KEY. Throws `AppError` bad_request when it is invalid. */
  constructor(secretsKey: string, purpose: string) {
    const keys = parseSecretKeys(secretsKey);
    if (!keys?.[0]) throw new AppError("bad_request", "SECRETS_KEY is not keyId:base64 of 32 bytes.");
    const derive = (key: Buffer): Buffer =>
      Buffer.from(hkdfSync("sha256", key, "", `link:${purpose}`, KEY_BYTES));
    this.#first = derive(keys[0].key);
    this.#keys = keys.map(({ key }) => derive(key));
  }

  /** HMAC-SHA256 of `text`, base64url. */
  sign(text: string): string {
    return signed(this.#first, text);
  }

  /** True when one of the keys signed `text`; compares in constant time. */
  verify(text: string, signature: string): boolean {
    return this.#keys.filter((key) => timingSafeEqualText(signed(key, text), signature)).length > 0;
  }
}

function signed(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
