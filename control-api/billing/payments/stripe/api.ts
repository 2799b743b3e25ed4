import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { z } from "zod";

const VERSION = "2026-10-28.endive";
const TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 512 * 1024;

export interface StripeReach {
  readonly apiUrl: string;
  readonly secretKey: string;
  readonly dispatchers: Dispatchers;
}

export interface StripeCommand {
  readonly orgId: string;
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  /** Stripe performs requests with the same key once. */
  readonly idempotencyKey: string;
}

const refusalSchema = z.object({
  error: z.object({
    type: z.string(),
    code: z.string().nullish(),
    message: z.string().nullish(),
    payment_intent: z.object({ id: z.string() }).nullish(),
  }),
});
export type StripeRefusal = z.infer<typeof refusalSchema>["error"];

/** Stripe refused for good: a declined card, a wrong field. */
export class StripeRefused extends Error {
  override readonly name = "StripeRefused";
  readonly refusal: StripeRefusal;

  constructor(refusal: StripeRefusal) {
    super(refusal.message ?? refusal.type);
    this.refusal = refusal;
  }
}

/** Sends one POST to Stripe. Throws `StripeRefused`; `AppError` unavailable if a retry may succeed. */
export async function postToStripe(
  { apiUrl, secretKey, dispatchers }: StripeReach,
  { orgId, path, form, idempotencyKey }: StripeCommand,
): Promise<unknown> {
  const { status, body } = await guardedRequest(dispatchers.of(orgId), `${apiUrl}/v1/${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secretKey}`,
      "content-type": "application/x-www-form-urlencoded",
      "stripe-version": VERSION,
      "idempotency-key": idempotencyKey,
    },
    body: new URLSearchParams(form).toString(),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
  }).catch((cause: unknown) => {
    throw away(cause);
  });
  const answer = parse(body);
  if (status >= 200 && status < 300) return answer;
  const { data } = refusalSchema.safeParse(answer);
  // 409: the same request is still under way. An invalid key is the operator's to replace.
  const isFinal = status >= 400 && status < 500 && ![401, 403, 409, 429].includes(status);
  if (!data || !isFinal) throw away(new Error(`it answered ${status}: ${data?.error.type ?? "no error"}`));
  throw new StripeRefused(data.error);
}

function away(cause: unknown): AppError {
  return new AppError("unavailable", "The payment service cannot be reached; try again shortly.", { cause });
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
