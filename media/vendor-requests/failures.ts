import { SpeechError } from "../speech-error.ts";

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS = 500;

/** An unsuccessful status. Too many requests and server errors are temporary; other statuses are not. */
export function statusError(vendor: string, status: number): SpeechError {
  const retryable = status === TOO_MANY_REQUESTS || status === REQUEST_TIMEOUT || status >= SERVER_ERRORS;
  return new SpeechError(vendor, `answered with status ${status}`, { retryable });
}

/** A missing response within the deadline. */
export function timeoutError(vendor: string, what: string, afterMs: number): SpeechError {
  return new SpeechError(vendor, `${what} within ${afterMs} ms`, { retryable: true });
}

/**
 * A broken connection, described by its code alone: the messages of network errors contain addresses, and a vendor's
 * text may quote the request.
 */
export function connectionError(vendor: string, error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "closed";
  return new SpeechError(vendor, `the connection broke (${code})`, { retryable: true });
}
