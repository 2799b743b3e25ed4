import type { Clock } from "../clock.ts";
import { BrainError, type BrainFailure } from "./brain-error.ts";

/** One deadline that moves along an answer: connect, then first content, then the pause between contents. */
export class Deadline {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #cancel: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Aborted with a `BrainError` when the deadline passes. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What passed, if it did. */
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
