export type CapabilityErrorCode =
  /** No connection serves the capability. */
  | "connection_missing"
  | "not_found"
  /** The vendor denies it to these credentials. */
  | "denied"
  | "rate_limited"
  | "vendor_failed"
  | "timed_out"
  | "invalid_arguments";

/** A capability failed. The message is a sentence a model can act on or say; it holds no secret. */
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
