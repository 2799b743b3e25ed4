import type { Clock } from "@parley/shared/clock.ts";
import type { SpeechError } from "./speech-error.ts";

/** Failures in a row after which a vendor is skipped. */
const OPENS_AFTER = 3;
const COOL_DOWN_MS = 15_000;

interface VendorState {
  failures: number;
  openUntilMs: number;
}

/**
 * Circuit breakers of the speech vendors, shared by every call of a process: a dead vendor costs its
 * time-out a few times, not once a call. After the cool-down one call probes it.
 */
export class SpeechBreakers {
  readonly #clock: Clock;
  readonly #vendors = new Map<string, VendorState>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False: skip this vendor. True for the one call that probes it after the cool-down. */
  admits(vendor: string): boolean {
    const state = this.#vendors.get(vendor);
    if (!state || state.failures < OPENS_AFTER) return true;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < state.openUntilMs) return false;
    state.openUntilMs = nowMs + COOL_DOWN_MS;
    return true;
  }

  succeeded(vendor: string): void {
    this.#vendors.delete(vendor);
  }

  /** An error that no retry cures (a bad key) opens the circuit at once. */
  failed(vendor: string, error: SpeechError): void {
    const state = this.#vendors.get(vendor) ?? { failures: 0, openUntilMs: 0 };
    state.failures = error.retryable ? state.failures + 1 : OPENS_AFTER;
    state.openUntilMs = this.#clock.monotonicMs() + COOL_DOWN_MS;
    this.#vendors.set(vendor, state);
  }
}
