/** Outcome of one attempt. */
export type Outcome =
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  | { readonly kind: "failed"; readonly reason: string }
  /** The address may not be called, or its name no longer resolves. */
  | { readonly kind: "refused"; readonly reason: string };

export interface Verdict {
  readonly status: "delivered" | "failed" | "dead";
  /** Delay until the next attempt; absent if there is none. */
  readonly retryAfterMs?: number;
  /** Why to disable the endpoint; absent if it stays enabled. */
  readonly disable?: string;
  /** New `last_error` of the endpoint; absent if unchanged. */
  readonly lastError?: string;
  readonly error: string | null;
}

export const MAX_ATTEMPTS = 8;
const GONE = 410;
/** 10 s after the first attempt, doubled after each: 10 to 640 s (docs/webhooks.md#what-you-answer). */
const FIRST_BACKOFF_MS = 10_000;

/** State table of a delivery (docs/webhooks.md#what-you-answer). `attempt` is the number of the one just made. */
export function judge(outcome: Outcome, attempt: number): Verdict {
  if (outcome.kind === "refused") return dead(outcome.reason, outcome.reason);
  if (outcome.kind === "answered" && isSuccess(outcome.status)) return { status: "delivered", error: null };
  const error = outcome.kind === "answered" ? `the receiver answered ${outcome.status}` : outcome.reason;
  if (outcome.kind === "answered" && outcome.status === GONE) return dead(error, error);
  if (attempt >= MAX_ATTEMPTS) return dead(error);
  return { status: "failed", retryAfterMs: backoffMs(attempt), error };
}

export function backoffMs(attempt: number): number {
  return FIRST_BACKOFF_MS * 2 ** (attempt - 1);
}

function dead(error: string, disable?: string): Verdict {
  return { status: "dead", error, lastError: error, ...(disable === undefined ? {} : { disable }) };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
