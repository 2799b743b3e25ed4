import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

const BLOCK = /-----BEGIN ([A-Z ]+)-----(.*?)-----END \1-----/gs;

/** Repairs PEMs from an environment file, whose line breaks may be spaces or `\n`; handles several at once. */
export function normalPem(text: string): string {
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.length === 0) return text;
  return blocks.map(([, label = "", body = ""]) => normalBlock(label, body)).join("");
}

/** The PEMs in a text that holds one or several. */
export function splitPems(text: string): string[] {
  return [...text.matchAll(BLOCK)].map(([, label = "", body = ""]) => normalBlock(label, body));
}

function normalBlock(label: string, body: string): string {
  const base64 = body.replaceAll("\\n", "").replace(/\s+/g, "");
  const lines = base64.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

export function isEd25519PrivatePem(pem: string): boolean {
  return /BEGIN PRIVATE KEY/.test(pem) && isEd25519(() => createPrivateKey(pem));
}

/** True for one public key, or for several in sequence. */
export function areEd25519PublicPems(text: string): boolean {
  const pems = splitPems(text);
  // Node would also accept a private key and derive its public half.
  return (
    pems.length > 0 &&
    pems.every((pem) => /BEGIN PUBLIC KEY/.test(pem) && isEd25519(() => createPublicKey(pem)))
  );
}

/** True when one of the public keys belongs to the private key. */
export function hasPublicHalf(privatePem: string, publicPems: string): boolean {
  const half = createPublicKey(createPrivateKey(privatePem));
  return splitPems(publicPems).some((pem) => half.equals(createPublicKey(pem)));
}

function isEd25519(read: () => KeyObject): boolean {
  try {
    return read().asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
}
