import { createSecretKey, type KeyObject } from "node:crypto";

export const SECRET_PREFIX = "whsec_";

/** What an endpoint's deliveries are signed with, prepared once: that takes as long as signing a short body. */
export interface SigningKeys {
  /** Of `X-Service-Signature`: the secret as it is written. */
  readonly service: KeyObject;
  /** Of Standard Webhooks: the bytes that it stands for. */
  readonly standard: KeyObject;
}

/** Both keys of a secret, `whsec_` and base64. */
export function signingKeysOf(secret: string): SigningKeys {
  return {
    service: createSecretKey(secret, "utf8"),
    standard: createSecretKey(secret.slice(SECRET_PREFIX.length), "base64"),
  };
}
