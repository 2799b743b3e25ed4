import { createHmac, timingSafeEqual } from "node:crypto";

export interface ReceivedWebhook {
  /** As your server got them; names in any case, arrays as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes: a body that was parsed and written again has another signature. */
  readonly body: string | Uint8Array;
  /** `signing_secret`, as it was shown when the endpoint was registered. */
  readonly secret: string;
  /** How old or how far ahead a delivery may be, in seconds; 300 when absent. */
  readonly toleranceSecs?: number;
  /** Now, in ms since the epoch; the machine's clock when absent. */
  readonly nowMs?: number;
}

export interface VerifiedWebhook {
  /** Stays the same over retries: what you have seen, you need not do again. */
  readonly deliveryId: string;
  /** `call.ended`, `transcript.ready`, … */
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

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
 * Makes sure that a request is a webhook of your Parley, whole and of now, and gives what it says. Checks the
 * Standard Webhooks signature, whose timestamp is signed: a delivery that somebody recorded cannot be played again
 * later. Throws `WebhookVerificationError`.
 *
 *     const { event, payload } = verifyWebhook({ headers: request.headers, body, secret });
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
  // Not the header's, which is not signed.
  return { deliveryId, event: typeof payload.event === "string" ? payload.event : "", payload };
}

function headerOf(headers: ReceivedWebhook["headers"], name: string): string {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const value = typeof found === "string" ? found : found?.[0];
  if (value === undefined)
    throw new WebhookVerificationError("missing_header", `The header ${name} is missing.`);
  return value;
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
    throw new WebhookVerificationError("not_json", "The body is signed and is no JSON.");
  }
}
