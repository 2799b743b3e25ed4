import { AppError } from "../errors.ts";

/** Why a brain gave no answer, or not the whole of one; the label of `parley_brain_errors_total`. */
export type BrainFailure =
  | "connect"
  | "blocked"
  | "breaker_open"
  | "status"
  | "content_type"
  | "first_token_timeout"
  | "idle_timeout"
  | "reset"
  | "too_large";

/** A brain failed. Carries neither its URL nor its secret; the message is for the brain's owner. */
export class BrainError extends AppError {
  readonly failure: BrainFailure;

  constructor(failure: BrainFailure, message: string, cause?: unknown) {
    super("brain_failed", message, { cause });
    this.name = "BrainError";
    this.failure = failure;
  }
}

/** Failures that a second try may cure, as long as nothing was spoken. */
const RETRIED: ReadonlySet<BrainFailure> = new Set(["connect", "status", "first_token_timeout", "reset"]);

export function isWorthRetrying(error: unknown): boolean {
  return error instanceof BrainError && RETRIED.has(error.failure);
}
