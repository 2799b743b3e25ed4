import { createHmac, type KeyObject, sign } from "node:crypto";
import { timingSafeEqualText } from "@parley/shared/security/secrets.ts";

/** The two kinds of JWT that Vonage uses, and no other: a token never chooses its algorithm. */

export function signRs256(claims: object, privateKey: KeyObject): string {
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

export function signHs256(claims: object, secret: string): string {
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${hs256(signed, secret)}`;
}

/** Returns the claims of a token signed with `secret`, undefined for any other token. */
export function verifyHs256(token: string, secret: string): unknown {
  const [header = "", claims = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || !timingSafeEqualText(hs256(`${header}.${claims}`, secret), signature))
    return undefined;
  const { alg } = decode(header) as { alg?: unknown };
  return alg === "HS256" ? decode(claims) : undefined;
}

function hs256(text: string, secret: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

/** Decodes a part whose signature was verified. */
function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) ?? {};
  } catch {
    return {};
  }
}
