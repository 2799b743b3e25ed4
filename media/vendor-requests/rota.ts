import type { OrgSpeechBreakers } from "../speech-breaker.ts";
import type { SpeechError } from "../speech-error.ts";

/** A vendor as the rota sees it. */
export interface RotaEntry {
  readonly name: string;
  /** What is asked of the vendor: voice, model, language. */
  readonly style: string;
}

/** Limit for a vendor that keeps dying after a word or two: it is not worth more of the caller's time. */
const MAX_FAILURES = 24;

/**
 * Chooses the next vendor for one call or one answer: in order of preference, without those that the breakers skip and
 * those that have failed here since any vendor last did its work.
 */
export class VendorRota<T extends RotaEntry> {
  readonly #entries: readonly T[];
  readonly #breakers: OrgSpeechBreakers;
  /** Vendors that refused for good: they would refuse the same request again. */
  readonly #rejected = new Set<T>();
  readonly #failedInARow = new Set<T>();
  #failures = 0;

  constructor(entries: readonly T[], breakers: OrgSpeechBreakers) {
    this.#entries = entries;
    this.#breakers = breakers;
  }

  /**
   * The best vendor to ask now; `after` is a failed one, returned only if there is no other. If the breakers skip every
   * vendor, returns the first that has not failed here: silence is worse than a delay.
   */
  next(after?: T): T | undefined {
    if (this.#failures >= MAX_FAILURES) return undefined;
    const others = this.#entries.filter((entry) => entry !== after);
    const inOrder = after === undefined ? others : [...others, after];
    const usable = inOrder.filter((entry) => !this.#rejected.has(entry) && !this.#failedInARow.has(entry));
    return usable.find((entry) => this.#breakers.admits(entry.name, entry.style)) ?? usable[0];
  }

  /** Starts a new round for vendors that failed without refusing; returns false if none is left for it. */
  startRound(): boolean {
    this.#failedInARow.clear();
    return this.#failures < MAX_FAILURES && this.#entries.some((entry) => !this.#rejected.has(entry));
  }

  /** Starts a new round after long failure of every vendor: earlier failures no longer count. */
  startAfresh(): boolean {
    this.#failures = 0;
    return this.startRound();
  }

  /** A vendor preferred to `current` that may be back. */
  betterThan(current: T): T | undefined {
    return this.#entries
      .slice(0, this.#entries.indexOf(current))
      .filter((entry) => !this.#rejected.has(entry))
      .find((entry) => this.#breakers.admits(entry.name, entry.style));
  }

  succeeded(entry: T): void {
    this.#failedInARow.clear();
    this.#breakers.succeeded(entry.name, entry.style);
  }

  /** `hadWorked`: the vendor did some work since it was opened, so it may be asked once more if no other is left. */
  failed(entry: T, error: SpeechError, { hadWorked }: { hadWorked: boolean }): void {
    this.#failures += 1;
    if (!error.retryable) this.#rejected.add(entry);
    if (!hadWorked) this.#failedInARow.add(entry);
    this.#breakers.failed(entry.name, error, entry.style);
  }
}
