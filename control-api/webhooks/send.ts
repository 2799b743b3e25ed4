import { createHmac } from "node:crypto";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatcher } from "@parley/shared/net/dispatchers.ts";
import { guardedPost, NeverSentError, type Target } from "@parley/shared/net/guarded-post.ts";
import { codeOf, LookupError } from "@parley/shared/net/names/lookup-error.ts";
import { signBody } from "@parley/shared/security/signatures.ts";
import type { Outcome } from "./attempt.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** How long a receiver may take to answer (docs/webhooks.md#what-you-answer). */
const RECEIVER_TIME_MS = 30_000;
export const KEPT_RESPONSE_BYTES = 4_096;
/** Error codes of OpenSSL's verification and Node's hostname check. */
const CERTIFICATE_CODES = /CERT|LEAF_SIGNATURE/;

export interface Sending {
  readonly deliveryId: string;
  readonly event: string;
  readonly url: string | Target;
  readonly body: string;
  /** Undefined if its secret cannot be opened: nothing is sent then. */
  readonly keys: SigningKeys | undefined;
  readonly wallMs: number;
  readonly receiverTimeMs?: number | undefined;
}

/**
 * Makes one attempt, with the same body and `x-service-signature` each time, and returns its outcome. Throws
 * `NeverSentError` if no connection was made, which is no attempt.
 */
export async function send(
  dispatcher: Dispatcher,
  { deliveryId, event, url, body, keys, wallMs, receiverTimeMs = RECEIVER_TIME_MS }: Sending,
): Promise<Outcome> {
  // Retried until dead: the missing key may just have been forgotten.
  if (keys === undefined)
    return {
      kind: "failed",
      reason: "its signing secret cannot be decrypted: its key is missing from SECRETS_KEY",
    };
  try {
    const { status, body: answer } = await guardedPost(dispatcher, url, {
      headers: signedHeaders({ deliveryId, event, body, keys, wallMs }),
      body,
      timeoutMs: receiverTimeMs,
      keepBytes: KEPT_RESPONSE_BYTES,
    });
    return { kind: "answered", status, body: answer };
  } catch (error) {
    if (error instanceof NeverSentError) throw error;
    return toOutcome(error, receiverTimeMs);
  }
}

/** All headers of an attempt at `wallMs`. */
export function signedHeaders(
  sending: Omit<Sending, "url" | "receiverTimeMs" | "keys"> & { readonly keys: SigningKeys },
): Record<string, string> {
  const { deliveryId, event, body, keys, wallMs } = sending;
  const seconds = String(Math.floor(wallMs / 1_000));
  return {
    ...fixedHeaders(event, deliveryId),
    "x-service-signature": signBody(keys.service, body),
    "webhook-timestamp": seconds,
    "webhook-signature": standardSignature(keys, { id: deliveryId, seconds, body }),
  };
}

/** Headers that are not secret and identical on each attempt. */
export function fixedHeaders(event: string, deliveryId: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Parley-Webhooks/1",
    "x-service-event": event,
    "x-service-delivery": deliveryId,
    "webhook-id": deliveryId,
  };
}

/** `webhook-signature` of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, base64. */
export function standardSignature(
  { standard }: Pick<SigningKeys, "standard">,
  { id, seconds, body }: { id: string; seconds: string; body: string },
): string {
  return `v1,${createHmac("sha256", standard).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}

function toOutcome(error: unknown, receiverTimeMs: number): Outcome {
  if (!(error instanceof AppError)) return { kind: "failed", reason: "the receiver could not be reached" };
  if (error.code === "bad_request") {
    return { kind: "refused", reason: "the url must begin with https://" };
  }
  if (error.code === "blocked_address") {
    return { kind: "refused", reason: "the url leads to a private or reserved address" };
  }
  if (error.code === "deadline_exceeded") {
    return { kind: "failed", reason: `no answer within ${receiverTimeMs / 1_000} s` };
  }
  const code = codeOf(error.cause);
  if (code === "ENOTFOUND") return { kind: "refused", reason: "the url's host name no longer exists" };
  if (error.cause instanceof LookupError)
    return { kind: "failed", reason: `the url's name could not be looked up (${code})` };
  if (code !== undefined && CERTIFICATE_CODES.test(code)) {
    return { kind: "failed", reason: `the receiver's certificate is not trusted (${code})` };
  }
  if (error.cause instanceof Error && error.cause.name === "HTTPParserError") {
    return { kind: "failed", reason: "the receiver does not speak HTTP" };
  }
  return {
    kind: "failed",
    reason: `the receiver could not be reached${code === undefined ? "" : ` (${code})`}`,
  };
}
