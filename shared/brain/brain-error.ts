import { AppError, messageOf } from "../errors.ts";

/** Why a brain gave no answer, or only part of one; the label of `parley_brain_errors_total`. */
export type BrainFailure =
  | "connect"
  | "blocked"
  | "breaker_open"
  | "status"
  | "content_type"
  | "first_token_timeout"
  | "idle_timeout"
  | "reset"
  | "too_large"
  | "empty"
  | "unreadable"
  | "flow_stuck";

/** A brain failed. The message is for the brain's owner and contains neither the brain's URL nor its secret. */
export class BrainError extends AppError {
  readonly failure: BrainFailure;
  /** True when retrying the same request would fail again although the endpoint is healthy. */
  readonly isFinal: boolean;

  constructor(
    failure: BrainFailure,
    message: string,
    { cause, isFinal = false }: { cause?: unknown; isFinal?: boolean } = {},
  ) {
    super("brain_failed", message, { cause });
    this.name = "BrainError";
    this.failure = failure;
    this.isFinal = isFinal;
  }
}

/** Refusals that a retry may not meet. */
const PASSING = new Set([408, 409, 425, 429]);

/** Whether a status means that the endpoint is healthy and will refuse the same request again. */
export function isRefusedForGood(status: number): boolean {
  return status >= 400 && status < 500 && !PASSING.has(status);
}

/** Failures that a retry may cure, as long as nothing was spoken. */
const RETRIED: ReadonlySet<BrainFailure> = new Set(["connect", "status", "first_token_timeout", "reset"]);

export function isWorthRetrying(error: BrainError): boolean {
  return RETRIED.has(error.failure) && !error.isFinal;
}

const CONNECT_CODES = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ESERVFAIL",
  "EREFUSED",
  "ETIMEOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Translates a network error for the brain's owner. */
export function toBrainError(error: unknown): BrainError {
  if (error instanceof BrainError) return error;
  if (error instanceof AppError && error.code === "blocked_address")
    return new BrainError("blocked", error.message, { isFinal: true });
  const refused = error instanceof Error && error.cause instanceof AppError ? error.cause : undefined;
  if (refused?.code === "blocked_address")
    return new BrainError("blocked", refused.message, { isFinal: true });
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const cause = error;
  if (CONNECT_CODES.has(code))
    return new BrainError("connect", `The brain cannot be reached (${code}).`, { cause });
  const message = `The connection to the brain broke (${code || messageOf(error)}).`;
  return new BrainError("reset", message, { cause });
}
