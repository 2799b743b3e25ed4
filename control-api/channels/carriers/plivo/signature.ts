import { createHmac } from "node:crypto";
import { timingSafeEqualText } from "@parley/shared/security/secrets.ts";
import { isForm, sortedEntries } from "../callback-body.ts";
import { refused, signedHeader } from "../callback-guard.ts";
import type { CarrierRequest } from "../carrier.ts";

const NONCE = "x-plivo-signature-v3-nonce";
/** Signatures by the call's account and by its main account. */
const SIGNATURES = ["x-plivo-signature-v3", "x-plivo-signature-ma-v3"];

/**
 * V3: base64 of HMAC-SHA256 over the address with its query sorted, the sorted parameters of a form and the nonce,
 * as Plivo's own libraries put them together.
 */
export function signPlivo(
  authToken: string,
  url: string,
  nonce: string,
  form = new URLSearchParams(),
): string {
  const [address = ""] = url.split(/[?#]/, 1);
  const query = sortedEntries(new URL(url).searchParams)
    .flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
    .join("&");
  const fields = sortedEntries(form)
    .flatMap(([name, values]) => values.map((value) => name + value))
    .join("");
  const isPlain = query === "" && fields === "";
  const dot = query !== "" && fields !== "" ? "." : "";
  const signed = `${address}${isPlain ? "" : "?"}${query}${dot}${fields}.${nonce}`;
  return createHmac("sha256", authToken).update(signed, "utf8").digest("base64");
}

/** Returns the nonce of a genuine Plivo request. Throws `AppError` unauthorized. */
export function verifyPlivo(authToken: string, { url, headers, body }: CarrierRequest): string {
  const nonce = signedHeader(headers, NONCE);
  const signatures = SIGNATURES.flatMap((name) => String(headers[name] ?? "").split(","));
  if (signatures.every((signature) => signature === ""))
    throw refused(`The header ${SIGNATURES[0]} is missing`);
  const isOfForm = isForm(headers["content-type"]);
  if (!isOfForm && body.length > 0) throw refused("Its body is not covered by the signature");
  const form = isOfForm ? new URLSearchParams(body.toString("utf8")) : undefined;
  const expected = signPlivo(authToken, url, nonce, form);
  if (!signatures.some((signature) => timingSafeEqualText(signature.trim(), expected))) {
    throw refused("Its signature is not of this account's authToken, this address and this body");
  }
  return nonce;
}
