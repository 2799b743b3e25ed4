import { createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookEvents } from "./events.ts";

/** Headers as Node gives them, names in any case, or a `Headers` as fetch does. */
type ReceivedHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

export interface ReceivedWebhook {
  /** As your server received them. */
  readonly headers: ReceivedHeaders;
  /** The raw bytes: a body that was parsed and serialized again has another signature. */
  readonly body: string | Uint8Array;
  /** `signing_secret`, as it was shown when the endpoint was registered. */
  readonly secret: string;
  /** How old or how far ahead a delivery may be, in seconds; 300 when absent. */
  readonly toleranceSecs?: number;
  /** Now, in ms since the epoch; the machine's clock when absent. */
  readonly nowMs?: number;
}

/**
 * A webhook by its event: once `event` is `call.ended`, `payload` has that event's type. A newer Parley may
 * send events and fields this file does not name: ignore what you do not know.
 */
export type VerifiedWebhook = {
  readonly [Event in keyof WebhookEvents]: {
    /** Stable across retries, for deduplication. */
    readonly deliveryId: string;
    readonly event: Event;
    readonly payload: Readonly<WebhookEvents[Event]>;
  };
}[keyof WebhookEvents];

export class WebhookVerificationError extends Error {
  readonly code: "missing_header" | "too_old" | "wrong_signature" | "not_json";

  constructor(code: WebhookVerificationError["code"], message: string) {
    super(message);
    this.name = "WebhookVerificationError";
    this.code = code;
  }
}

const DEFAULT_TOLERANCE_SECS = 300;
const SECRET_PREFIX = "whsec_";

/**
 * Verifies that a request is an intact and current webhook from your Parley, and returns its content. Checks the
 * Standard Webhooks signature, which covers the timestamp: a recorded delivery cannot be replayed later. Throws
 * `WebhookVerificationError`.
 *
 *     const { event, payload } = verifyWebhook({ headers: request.headers, body, secret });
 *     if (event === "call.ended") console.log(payload.durationSecs);
 */
export function verifyWebhook({
  headers,
  body,
  secret,
  toleranceSecs = DEFAULT_TOLERANCE_SECS,
  nowMs = Date.now(),
}: ReceivedWebhook): VerifiedWebhook {
  const deliveryId = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  const ageSecs = Math.abs(nowMs / 1_000 - Number(timestamp));
  if (!(ageSecs <= toleranceSecs)) {
    throw new WebhookVerificationError(
      "too_old",
      "The delivery's time is too far from now; is your clock right?",
    );
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const key = Buffer.from(secret.replace(SECRET_PREFIX, ""), "base64");
  const signed = Buffer.concat([Buffer.from(`${deliveryId}.${timestamp}.`), Buffer.from(body)]);
  const expected = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  if (!signatures.some((signature) => isSame(signature, expected))) {
    throw new WebhookVerificationError(
      "wrong_signature",
      "The signature is not this secret's over these bytes.",
    );
  }
  const payload = parse(text);
  // The header's event is not signed.
  const event = typeof payload.event === "string" ? payload.event : "";
  return { deliveryId, event, payload } as unknown as VerifiedWebhook;
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  const found = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const value = typeof found === "string" ? found : found?.[0];
  if (value === undefined)
    throw new WebhookVerificationError("missing_header", `The header ${name} is missing.`);
  return value;
}

/** Accepts any library's `Headers`: a header's value is text, never a function. */
function isFetchHeaders(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
    throw new TypeError("no object");
  } catch {
    throw new WebhookVerificationError("not_json", "The body is signed but is not JSON.");
  }
}
