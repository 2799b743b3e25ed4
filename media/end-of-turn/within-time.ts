import type { Clock } from "@parley/shared/clock.ts";

export type EndOfTurnOutcome = "answered" | "timeout" | "failed";

export interface WithinTimeOptions {
  /** Longest time for an answer, ms. */
  readonly withinMs: number;
  readonly clock: Clock;
  /** Reports each question's outcome and duration. */
  readonly onAsked: (outcome: EndOfTurnOutcome, tookMs: number) => void;
}

/** Consecutive failures after which the model is left alone for a while; then one question probes it. */
const OPENS_AFTER = 5;
const COOL_DOWN_MS = 10_000;

/** Asks a model that may be slow or down: a late answer counts as none, and several in a row suspend the model. */
export class WithinTime {
  readonly #options: WithinTimeOptions;
  #failures = 0;
  #restsUntilMs = 0;

  constructor(options: WithinTimeOptions) {
    this.#options = options;
  }

  /** The answer to `question`, or undefined if it is late; the question's signal aborts when nobody waits any more. */
  async ask(question: (signal: AbortSignal) => Promise<number>): Promise<number | undefined> {
    const { clock, onAsked, withinMs } = this.#options;
    const askedAtMs = clock.monotonicMs();
    if (askedAtMs < this.#restsUntilMs) return undefined;
    if (this.#failures >= OPENS_AFTER) this.#restsUntilMs = askedAtMs + COOL_DOWN_MS;
    const late = new AbortController();
    const cancel = clock.after(withinMs, () => late.abort());
    try {
      const answer = await question(late.signal);
      this.#failures = 0;
      this.#restsUntilMs = 0;
      onAsked("answered", clock.monotonicMs() - askedAtMs);
      return answer;
    } catch {
      this.#failures++;
      if (this.#failures >= OPENS_AFTER) this.#restsUntilMs = clock.monotonicMs() + COOL_DOWN_MS;
      onAsked(late.signal.aborted ? "timeout" : "failed", clock.monotonicMs() - askedAtMs);
      return undefined;
    } finally {
      cancel();
    }
  }
}
