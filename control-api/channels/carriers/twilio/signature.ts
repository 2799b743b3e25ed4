import { createHash, createHmac } from "node:crypto";
import { timingSafeEqualText } from "@parley/shared/security/secrets.ts";
import { isForm, sortedEntries } from "../callback-body.ts";
import { refused, signedHeader } from "../callback-guard.ts";
import type { CarrierRequest } from "../carrier.ts";

/** `X-Twilio-Signature`: base64 of HMAC-SHA1 over the URL and the sorted parameters of a form, each value once. */
export function signTwilio(authToken: string, url: string, form = new URLSearchParams()): string {
  const fields = sortedEntries(form).map(([name, values]) =>
    [...new Set(values)].map((value) => name + value).join(""),
  );
  return createHmac("sha1", authToken)
    .update(url + fields.join(""), "utf8")
    .digest("base64");
}

/**
 * Verifies a Twilio request and returns its signature. A non-form body is covered by `bodySHA256` in the URL, or not at
 * all. Throws `AppError` unauthorized.
 */
export function verifyTwilio(authToken: string, request: CarrierRequest): string {
  const { url, headers, body } = request;
  const signature = signedHeader(headers, "x-twilio-signature");
  const bodyHash = new URL(url).searchParams.get("bodySHA256");
  const form = isForm(headers["content-type"]) ? new URLSearchParams(body.toString("utf8")) : undefined;
  if (!form && body.length > 0 && !isHashOf(body, bodyHash))
    throw refused("Its body is not covered by the signature");
  // Proxies add and strip the default port, and Twilio signs the URL it was given.
  const isGenuine = spellingsOf(url).some((spelling) =>
    timingSafeEqualText(signTwilio(authToken, spelling, form), signature),
  );
  if (!isGenuine)
    throw refused("Its signature is not of this account's authToken, this address and this body");
  return signature;
}

function isHashOf(body: Buffer, hash: string | null): boolean {
  return hash !== null && timingSafeEqualText(createHash("sha256").update(body).digest("hex"), hash);
}

function spellingsOf(url: string): string[] {
  const { protocol, hostname, port } = new URL(url);
  const rest = url.slice(url.indexOf("/", protocol.length + 2));
  const standard = protocol === "https:" ? "443" : "80";
  const spellings = [
    url,
    `${protocol}//${hostname}:${port || standard}${rest}`,
    `${protocol}//${hostname}${rest}`,
  ];
  return [...new Set(spellings)];
}
