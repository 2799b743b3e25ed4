export type CapabilityErrorCode =
  /** Nothing is connected that could do it. */
  | "connection_missing"
  | "not_found"
  /** The vendor does not let these credentials do it. */
  | "denied"
  | "rate_limited"
  | "vendor_failed"
  | "timed_out"
  | "invalid_arguments";

/** A capability was not carried out. The message is a sentence that a model can act upon or say; it holds no secret. */
export class CapabilityError extends Error {
  readonly code: CapabilityErrorCode;
  readonly retryAfterSecs: number | undefined;

  constructor(
    code: CapabilityErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSecs?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CapabilityError";
    this.code = code;
    this.retryAfterSecs = options.retryAfterSecs;
  }
}
