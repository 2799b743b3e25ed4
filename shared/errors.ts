/** The meaning of a code for a caller: its HTTP status, and whether the same request may be retried. */
interface ErrorKind {
  readonly status: number;
  readonly retryable: boolean;
}

/**
 * The one table of error codes. A code is part of the public contract: never reuse one for another meaning, never
 * rename one that was released.
 */
export const ERROR_CODES = {
  bad_request: { status: 400, retryable: false },
  validation_failed: { status: 400, retryable: false },
  blocked_address: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  token_expired: { status: 401, retryable: false },
  token_invalid: { status: 401, retryable: false },
  mfa_required: { status: 401, retryable: false },
  credentials_invalid: { status: 401, retryable: false },
  code_invalid: { status: 401, retryable: false },
  ticket_invalid: { status: 401, retryable: false },
  ticket_expired: { status: 401, retryable: false },
  payment_required: { status: 402, retryable: false },
  spending_limit_reached: { status: 402, retryable: false },
  forbidden: { status: 403, retryable: false },
  api_access_off: { status: 403, retryable: false },
  link_invalid: { status: 403, retryable: false },
  link_expired: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  session_ended: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  conflict: { status: 409, retryable: false },
  not_rehearsed: { status: 409, retryable: false },
  gone: { status: 410, retryable: false },
  precondition_failed: { status: 412, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  idempotency_key_reused: { status: 422, retryable: false },
  too_many_requests: { status: 429, retryable: true },
  internal: { status: 500, retryable: false },
  vendor_failed: { status: 502, retryable: true },
  vendor_rejected: { status: 502, retryable: false },
  brain_failed: { status: 502, retryable: true },
  response_too_large: { status: 502, retryable: false },
  unavailable: { status: 503, retryable: true },
  no_gateway: { status: 503, retryable: true },
  search_too_slow: { status: 503, retryable: true },
  draining: { status: 503, retryable: true },
  deadline_exceeded: { status: 504, retryable: true },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface AppErrorOptions {
  /** The underlying error; logged, never sent to a client. */
  readonly cause?: unknown;
  /** Overrides the table's value, for example for a vendor's 4xx that is not worth a retry. */
  readonly retryable?: boolean;
  /** Facts that a client can act on, sent with the message. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds after which a retry makes sense, sent as `Retry-After`. */
  readonly retryAfterSecs?: number;
}

/**
 * An expected failure. Its message is written for the person who can change something and is safe to send; any other
 * thrown error reaches a client as an empty 500.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSecs: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.status = ERROR_CODES[code].status;
    this.retryable = options.retryable ?? ERROR_CODES[code].retryable;
    this.details = options.details;
    this.retryAfterSecs = options.retryAfterSecs;
  }
}

/** An error about one field of the body, which a page can show at that field (`details.fields`). */
export function fieldError(code: ErrorCode, field: string, message: string): AppError {
  return new AppError(code, message, { details: { fields: { [field]: message } } });
}

/** True for errors that a retry might cure. */
export function isRetryable(error: unknown): boolean {
  return error instanceof AppError && error.retryable;
}

/** The text of any thrown value, for logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
