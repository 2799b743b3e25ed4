import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

const BLOCK = /-----BEGIN ([A-Z ]+)-----(.*?)-----END \1-----/gs;

/** A PEM from an environment file may have its line breaks as spaces or as `\n`. Of several each is put right. */
export function normalPem(text: string): string {
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.length === 0) return text;
  return blocks.map(([, label = "", body = ""]) => normalBlock(label, body)).join("");
}

/** The PEMs of a text that holds one or several. */
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

/** True for one public key, or for several one after the other. */
export function areEd25519PublicPems(text: string): boolean {
  const pems = splitPems(text);
  // Node would take the public half out of a private key too.
  return (
    pems.length > 0 &&
    pems.every((pem) => /BEGIN PUBLIC KEY/.test(pem) && isEd25519(() => createPublicKey(pem)))
  );
}

/** True when one of the public keys is the other half of the private one. */
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
