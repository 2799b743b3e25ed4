import { AppError } from "../errors.ts";
import { codeOf } from "./names/lookup-error.ts";

/**
 * Outcome of a request: a final status arrived (whichever it was), the rules blocked the address, the request timed
 * out, the network failed, or the caller aborted.
 */
export type EgressOutcome = "answered" | "blocked" | "timeout" | "unreachable" | "aborted";

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  ...["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"],
  ...["ETIMEDOUT", "ETIMEOUT"],
]);
const ABORT_CODES: ReadonlySet<string> = new Set(["ABORT_ERR", "UND_ERR_ABORTED", "UND_ERR_DESTROYED"]);

/** Outcome of a request that failed with this error before a status arrived. */
export function outcomeOf(error: unknown): EgressOutcome {
  if (error instanceof AppError && (error.code === "blocked_address" || error.code === "bad_request"))
    return "blocked";
  if (error instanceof DOMException && error.name === "TimeoutError") return "timeout";
  const code = error instanceof AppError ? undefined : codeOf(error);
  if (code !== undefined && !ABORT_CODES.has(code)) {
    return TIMEOUT_CODES.has(code) ? "timeout" : "unreachable";
  }
  // The reason of a caller's abort, or a network error wrapped as a cause.
  if (error instanceof Error && error.cause !== undefined) return outcomeOf(error.cause);
  return "aborted";
}
