import type { Clock } from "../clock.ts";
import { BrainError, type BrainFailure } from "./brain-error.ts";

/** One deadline that moves along with an answer: connect, then first content, then each pause between contents. */
export class Deadline {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #cancel: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Aborts with a `BrainError` when the deadline passes. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The deadline that passed, if one did. */
  get failure(): BrainError | undefined {
    return this.signal.reason instanceof BrainError ? this.signal.reason : undefined;
  }

  set(failure: BrainFailure, afterMs: number, message: string): void {
    this.#cancel();
    this.#cancel = this.#clock.after(afterMs, () => {
      const cause = new DOMException(message, "TimeoutError");
      this.#controller.abort(new BrainError(failure, message, { cause }));
    });
  }

  clear(): void {
    this.#cancel();
  }
}
