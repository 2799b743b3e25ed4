import type { WireError } from "../wire.ts";

/** Why an operation was refused. `code` is for programs; `message` says what to change. */
export class PlatformError extends Error {
  /**
   * For example `scope_missing`, `role_forbidden`, `invalid_arguments`, `rate_limited`, `deadline_exceeded`,
   * `unavailable`.
   */
  readonly code: string;
  /** Whether the same call may be retried. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor({ code, message, retryable = false, retryAfterMs, details = {} }: WireError) {
    super(message);
    this.name = "PlatformError";
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.details = details;
  }
}

/** The error of a host that is older than the capability. */
export function unavailable(method: string): PlatformError {
  return new PlatformError({
    code: "unavailable",
    message: `${method} is unavailable on this dashboard. Update the dashboard to use it.`,
  });
}
