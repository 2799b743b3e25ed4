import type { Clock } from "@parley/shared/clock.ts";
import type { SpeechError } from "./speech-error.ts";

/** Failures in a row after which a vendor is skipped. */
const OPENS_AFTER = 3;
const COOL_DOWN_MS = 15_000;
/** Circuits remembered; the oldest gives way. Styles come from agents' settings, so there may be many. */
const MAX_CIRCUITS = 1_000;

interface Circuit {
  failures: number;
  openUntilMs: number;
}

/**
 * Circuit breakers of the speech vendors, shared by every call of a process: a dead vendor costs its
 * time-out a few times, not once a call. After the cool-down one call probes it; the others go on skipping it.
 *
 * `style` is what a call asks of the vendor (model, voice, language). A vendor that refuses one style, for
 * example a voice it does not know, is skipped for that style only.
 */
export class SpeechBreakers {
  readonly #clock: Clock;
  readonly #circuits = new Map<string, Circuit>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False: skip this vendor. True for the one call that probes it after the cool-down. */
  admits(vendor: string, style = ""): boolean {
    const nowMs = this.#clock.monotonicMs();
    const open = [vendor, keyOf(vendor, style)]
      .map((key) => this.#circuits.get(key))
      .filter((circuit) => circuit !== undefined && circuit.failures >= OPENS_AFTER);
    if (open.some((circuit) => circuit && nowMs < circuit.openUntilMs)) return false;
    for (const circuit of open) if (circuit) circuit.openUntilMs = nowMs + COOL_DOWN_MS;
    return true;
  }

  succeeded(vendor: string, style = ""): void {
    this.#circuits.delete(vendor);
    this.#circuits.delete(keyOf(vendor, style));
  }

  /** An error that no retry cures opens the style's circuit at once. */
  failed(vendor: string, error: SpeechError, style = ""): void {
    const key = error.retryable ? vendor : keyOf(vendor, style);
    const failures = error.retryable ? (this.#circuits.get(key)?.failures ?? 0) + 1 : OPENS_AFTER;
    this.#circuits.delete(key);
    this.#circuits.set(key, { failures, openUntilMs: this.#clock.monotonicMs() + COOL_DOWN_MS });
    const [oldest] = this.#circuits.keys();
    if (this.#circuits.size > MAX_CIRCUITS && oldest !== undefined) this.#circuits.delete(oldest);
  }
}

function keyOf(vendor: string, style: string): string {
  return `${vendor}\n${style}`;
}
