import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** A PEM from an environment file may have its line breaks as spaces or as `\n`. */
export function normalPem(pem: string): string {
  const [, label, body] = /-----BEGIN ([A-Z ]+)-----(.*?)-----END/s.exec(pem) ?? [];
  if (label === undefined || body === undefined) return pem;
  const base64 = body.replaceAll("\\n", "").replace(/\s+/g, "");
  const lines = base64.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

export function isEd25519PrivatePem(pem: string): boolean {
  return /BEGIN PRIVATE KEY/.test(pem) && isEd25519(() => createPrivateKey(pem));
}

export function isEd25519PublicPem(pem: string): boolean {
  // Node would take the public half out of a private key too.
  return /BEGIN PUBLIC KEY/.test(pem) && isEd25519(() => createPublicKey(pem));
}

/** True when the two are halves of one key. */
export function isPemPair(privatePem: string, publicPem: string): boolean {
  return createPublicKey(createPrivateKey(privatePem)).equals(createPublicKey(publicPem));
}

function isEd25519(read: () => KeyObject): boolean {
  try {
    return read().asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
}
