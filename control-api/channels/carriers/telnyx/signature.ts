import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { assertRecent, refused, signedHeader } from "../callback-guard.ts";
import type { CarrierRequest } from "../carrier.ts";

const KEY_BYTES = 32;

/** Parses the account's public key as Telnyx shows it, in base64. Throws `AppError` bad_request. */
export function readPublicKey(base64: string): KeyObject {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length !== KEY_BYTES) {
    throw new AppError(
      "bad_request",
      "publicKey is not an Ed25519 key: Telnyx shows 44 characters of base64.",
    );
  }
  return createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") },
    format: "jwk",
  });
}

/** Verifies Ed25519 over `timestamp|body`; returns the signature. Throws `AppError` unauthorized. */
export function verifyTelnyx(key: KeyObject, { headers, body }: CarrierRequest, clock: Clock): string {
  const signature = signedHeader(headers, "telnyx-signature-ed25519");
  const timestamp = signedHeader(headers, "telnyx-timestamp");
  const signed = Buffer.concat([Buffer.from(`${timestamp}|`), body]);
  const bytes = Buffer.from(signature, "base64");
  // Canonical base64 only: another spelling of the same bytes would pass as unseen.
  if (bytes.toString("base64") !== signature || !verify(null, signed, key, bytes)) {
    throw refused("Its signature is not of this account's publicKey and this body");
  }
  assertRecent(Number(timestamp) * 1_000, clock);
  return signature;
}
