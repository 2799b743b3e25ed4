import type { Clock } from "@parley/shared/clock.ts";
import { Agent, request } from "undici";
import { z } from "zod";

/** Whoever judges whether the caller is done: a model of the operator's. */
export interface EndOfTurnModel {
  /** No answer takes longer, ms. */
  readonly withinMs: number;
  /** From 0 to 1, or undefined when there is no answer in time; never throws. */
  ask(said: SaidSoFar): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface SaidSoFar {
  /** The turn so far. */
  readonly text: string;
  /** The recogniser's language, BCP 47. */
  readonly language: string;
}

export type EndOfTurnOutcome = "answered" | "timeout" | "failed";

interface HttpModelDeps {
  /** An address the operator has configured: it may well be next door. */
  readonly url: string;
  readonly withinMs: number;
  readonly clock: Clock;
  /** Told of each request and how long it took. */
  readonly onAsked: (outcome: EndOfTurnOutcome, tookMs: number) => void;
}

const answerSchema = z.object({ finished: z.number().min(0).max(1) });
const MAX_ANSWER_BYTES = 16 * 1024;
const CONNECTIONS = 32;
/** Failures in a row after which the model is left alone for a while; then one request probes it. */
const OPENS_AFTER = 5;
const COOL_DOWN_MS = 10_000;

/** A model behind HTTP: POST `{ text, language }`, answered with `{ finished }` (docs/turn-taking.md#a-model-of-your-own). */
export class HttpEndOfTurnModel implements EndOfTurnModel {
  readonly withinMs: number;
  readonly #deps: HttpModelDeps;
  readonly #agent = new Agent({ connections: CONNECTIONS, maxResponseSize: MAX_ANSWER_BYTES });
  #failures = 0;
  #restsUntilMs = 0;

  constructor(deps: HttpModelDeps) {
    this.#deps = deps;
    this.withinMs = deps.withinMs;
  }

  async ask(said: SaidSoFar): Promise<number | undefined> {
    const { clock, onAsked } = this.#deps;
    const askedAtMs = clock.monotonicMs();
    if (askedAtMs < this.#restsUntilMs) return undefined;
    if (this.#failures >= OPENS_AFTER) this.#restsUntilMs = askedAtMs + COOL_DOWN_MS;
    const late = new AbortController();
    const cancel = clock.after(this.withinMs, () => late.abort());
    try {
      const finished = await this.#post(said, late.signal);
      this.#failures = 0;
      this.#restsUntilMs = 0;
      onAsked("answered", clock.monotonicMs() - askedAtMs);
      return finished;
    } catch {
      this.#failures++;
      if (this.#failures >= OPENS_AFTER) this.#restsUntilMs = clock.monotonicMs() + COOL_DOWN_MS;
      onAsked(late.signal.aborted ? "timeout" : "failed", clock.monotonicMs() - askedAtMs);
      return undefined;
    } finally {
      cancel();
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #post({ text, language }: SaidSoFar, signal: AbortSignal): Promise<number> {
    const { statusCode, body } = await request(this.#deps.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ text, language }),
      dispatcher: this.#agent,
      signal,
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`the end-of-turn model answered ${statusCode}`);
    }
    return answerSchema.parse(await body.json()).finished;
  }
}
