import { AppError, isRetryable } from "@parley/shared/errors.ts";

/**
 * A speech vendor's failure. `retryable` tells the fallback whether the same vendor may be tried again soon (timeout,
 * 5xx, 429, dropped socket) or not (bad key, unknown voice). Never carries the vendor's URL, headers or body.
 */
export class SpeechError extends AppError {
  readonly vendor: string;

  constructor(vendor: string, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(options.retryable ? "vendor_failed" : "vendor_rejected", `${vendor}: ${message}`, options);
    this.name = "SpeechError";
    this.vendor = vendor;
  }
}

/** Wraps whatever a vendor threw; passes an error through that already describes itself. */
export function toSpeechError(vendor: string, error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  const retryable = !(error instanceof AppError) || isRetryable(error);
  return new SpeechError(vendor, error instanceof Error ? error.message : "failed", {
    retryable,
    cause: error,
  });
}
