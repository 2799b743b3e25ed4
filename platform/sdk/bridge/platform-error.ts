import type { WireError } from "../wire.ts";

/** What an operation was refused with. `code` is for programs, `message` says what to change. */
export class PlatformError extends Error {
  /** Such as `scope_missing`, `role_forbidden`, `invalid_arguments`, `rate_limited`, `deadline_exceeded`, `unavailable`. */
  readonly code: string;
  /** Whether the same call may be tried again, and when. */
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

/** What a host that is older than the capability answers. */
export function unavailable(method: string): PlatformError {
  return new PlatformError({
    code: "unavailable",
    message: `${method} is unavailable on this dashboard. Update the dashboard to use it.`,
  });
}
