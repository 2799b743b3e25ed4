import { AppError } from "../errors.ts";
import { codeOf } from "./names/lookup-error.ts";

/**
 * What became of a request: the final status came (whatever it was), the rules refused the address, it took too long, it failed
 * on the way, or who asked gave up.
 */
export type EgressOutcome = "answered" | "blocked" | "timeout" | "unreachable" | "aborted";

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  ...["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"],
  ...["ETIMEDOUT", "ETIMEOUT"],
]);
const ABORT_CODES: ReadonlySet<string> = new Set(["ABORT_ERR", "UND_ERR_ABORTED", "UND_ERR_DESTROYED"]);

/** What became of a request that ended with this error before there was a status. */
export function outcomeOf(error: unknown): EgressOutcome {
  if (error instanceof AppError && (error.code === "blocked_address" || error.code === "bad_request"))
    return "blocked";
  if (error instanceof DOMException && error.name === "TimeoutError") return "timeout";
  const code = error instanceof AppError ? undefined : codeOf(error);
  if (code !== undefined && !ABORT_CODES.has(code)) {
    return TIMEOUT_CODES.has(code) ? "timeout" : "unreachable";
  }
  // The reason an asker gave, or the network's own words for a cause.
  if (error instanceof Error && error.cause !== undefined) return outcomeOf(error.cause);
  return "aborted";
}
