import type { OrgSpeechBreakers } from "../speech-breaker.ts";
import type { SpeechError } from "../speech-error.ts";

/** A vendor as the rota sees it. */
export interface RotaEntry {
  readonly name: string;
  /** What is asked of the vendor: voice, model, language. */
  readonly style: string;
}

/** A vendor that dies again and again after a word or two is not worth more of the caller's time. */
const MAX_FAILURES = 24;

/**
 * Who is asked next, for one call or one answer: in the order of preference, leaving out whom the
 * breakers skip and who failed here since anybody last did their work.
 */
export class VendorRota<T extends RotaEntry> {
  readonly #entries: readonly T[];
  readonly #breakers: OrgSpeechBreakers;
  /** Refused for good: the same request would be refused again. */
  readonly #rejected = new Set<T>();
  readonly #failedInARow = new Set<T>();
  #failures = 0;

  constructor(entries: readonly T[], breakers: OrgSpeechBreakers) {
    this.#entries = entries;
    this.#breakers = breakers;
  }

  /**
   * The best to ask now, `after` a failed one only if there is no other. When the breakers skip everybody,
   * the first who has not failed here is asked all the same: silence is worse than a delay.
   */
  next(after?: T): T | undefined {
    if (this.#failures >= MAX_FAILURES) return undefined;
    const others = this.#entries.filter((entry) => entry !== after);
    const inOrder = after === undefined ? others : [...others, after];
    const usable = inOrder.filter((entry) => !this.#rejected.has(entry) && !this.#failedInARow.has(entry));
    return usable.find((entry) => this.#breakers.admits(entry.name, entry.style)) ?? usable[0];
  }

  /** A new round for those who failed but did not refuse; false when nobody is left for it. */
  startRound(): boolean {
    this.#failedInARow.clear();
    return this.#failures < MAX_FAILURES && this.#entries.some((entry) => !this.#rejected.has(entry));
  }

  /** The same when everybody has failed for long: earlier failures count no more. */
  startAfresh(): boolean {
    this.#failures = 0;
    return this.startRound();
  }

  /** Somebody preferred to `current` who may be back. */
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

  /** `hadWorked`: it did some of its work since it was opened, so it may be asked once more when nobody else is left. */
  failed(entry: T, error: SpeechError, { hadWorked }: { hadWorked: boolean }): void {
    this.#failures += 1;
    if (!error.retryable) this.#rejected.add(entry);
    if (!hadWorked) this.#failedInARow.add(entry);
    this.#breakers.failed(entry.name, error, entry.style);
  }
}
