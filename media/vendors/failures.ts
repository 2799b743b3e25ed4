import { SpeechError } from "../speech-error.ts";

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS = 500;

/** A status that is no success. Too many requests and the server's own errors pass; the others do not. */
export function statusError(vendor: string, status: number): SpeechError {
  const retryable = status === TOO_MANY_REQUESTS || status === REQUEST_TIMEOUT || status >= SERVER_ERRORS;
  return new SpeechError(vendor, `answered with status ${status}`, { retryable });
}

/** Nothing came in time. */
export function timeoutError(vendor: string, what: string, afterMs: number): SpeechError {
  return new SpeechError(vendor, `${what} within ${afterMs} ms`, { retryable: true });
}

/**
 * A broken connection, told by its code alone: the messages of network errors carry addresses, and what
 * a vendor sends may quote the request.
 */
export function connectionError(vendor: string, error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "closed";
  return new SpeechError(vendor, `the connection broke (${code})`, { retryable: true });
}
