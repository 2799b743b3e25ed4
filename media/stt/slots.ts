import { SpeechError } from "../speech-error.ts";

export interface SlotsOptions {
  readonly vendor: string;
  /** Maximum number of concurrent tasks. */
  readonly max: number;
  /** Maximum number of waiting tasks. */
  readonly maxWaiting: number;
}

/** Lets a few tasks run at once; the others wait in order, within a bound. */
export class Slots {
  readonly #options: SlotsOptions;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  /** Throws `SpeechError` if too many tasks already wait, or if `signal` is aborted while this one waits. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#running >= this.#options.max) await this.#turn(signal);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Resolves with a slot that another task has freed. */
  #turn(signal: AbortSignal): Promise<void> {
    const { vendor, maxWaiting } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maxWaiting) {
        reject(new SpeechError(vendor, "too many utterances wait", { retryable: true }));
        return;
      }
      const begin = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== begin);
        reject(new SpeechError(vendor, "closed", { retryable: false }));
      };
      this.#waiting.push(begin);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
