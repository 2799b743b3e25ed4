import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";

/** Spec of the carriers that sign a time: five minutes either way. */
const TOLERANCE_MS = 300_000;
/** Past the tolerance in both directions a time refuses what the memory has forgotten. */
const REMEMBER_MS = 2 * TOLERANCE_MS;
const MAX_REMEMBERED = 20_000;

/** Refuses callbacks that are old, or that this process has taken before; a carrier signs its own second try anew. */
export class CallbackGuard {
  readonly #clock: Clock;
  /** In the order they came. */
  readonly #seen = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws `AppError` unauthorized when a signed time is not about now. */
  assertRecent(signedAtMs: number): void {
    // A comparison that is false for NaN.
    if (Math.abs(this.#clock.wallMs() - signedAtMs) <= TOLERANCE_MS) return;
    throw refused("Its time is more than five minutes away from ours");
  }

  /** `once` is what the signature makes unique: a nonce, or the signature. Throws `AppError` unauthorized. */
  assertFirst(once: string): void {
    const nowMs = this.#clock.monotonicMs();
    this.#forget(nowMs);
    if (this.#seen.has(once)) throw refused("It was sent before");
    this.#seen.set(once, nowMs);
  }

  #forget(nowMs: number): void {
    for (const [once, atMs] of this.#seen) {
      if (this.#seen.size < MAX_REMEMBERED && nowMs - atMs < REMEMBER_MS) return;
      this.#seen.delete(once);
    }
  }
}

/** A callback that is not the carrier's, or not for now. `why` is a clause without a stop. */
export function refused(why: string): AppError {
  return new AppError("unauthorized", `The callback is refused. ${why}.`);
}

/** A header that was sent once. Throws `AppError` unauthorized when it is missing. */
export function signedHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value === "string" && value !== "") return value;
  throw refused(`The header ${name} is missing`);
}
