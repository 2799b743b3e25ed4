import { Agent, request } from "undici";
import { z } from "zod";
import { WithinTime, type WithinTimeOptions } from "./within-time.ts";

/** An operator's model that judges whether the caller is done. */
export interface EndOfTurnModel {
  /** Longest time for an answer, ms. */
  readonly withinMs: number;
  /** How much of the caller's audio the model listens to, ms; 0 for a text-only model. */
  readonly hearsMs: number;
  /** From 0 to 1, or undefined without an answer in time; never throws. */
  ask(said: SaidSoFar): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface SaidSoFar {
  /** The turn so far. */
  readonly text: string;
  /** The recognizer's language, BCP 47. */
  readonly language: string;
  /** What was said before this turn, oldest first: the last few lines, each as far as it was heard. */
  readonly history: readonly SaidBefore[];
  /** The caller's audio of this turn so far, 16 kHz mono; at most the model's `hearsMs`. */
  sound(): Int16Array;
}

export interface SaidBefore {
  readonly role: "user" | "assistant";
  readonly text: string;
}

interface HttpModelDeps extends WithinTimeOptions {
  /** An address configured by the operator, which may be in the local network. */
  readonly url: string;
}

const answerSchema = z.object({ finished: z.number().min(0).max(1) });
const MAX_ANSWER_BYTES = 16 * 1024;
const CONNECTIONS = 32;

/** Asks by POST `{ text, language, history }` → `{ finished }` (docs/turn-taking.md#behind-http-end_of_turn_url). */
export class HttpEndOfTurnModel implements EndOfTurnModel {
  readonly withinMs: number;
  readonly hearsMs = 0;
  readonly #url: string;
  readonly #inTime: WithinTime;
  readonly #agent = new Agent({ connections: CONNECTIONS, maxResponseSize: MAX_ANSWER_BYTES });

  constructor(deps: HttpModelDeps) {
    this.#url = deps.url;
    this.#inTime = new WithinTime(deps);
    this.withinMs = deps.withinMs;
  }

  ask(said: SaidSoFar): Promise<number | undefined> {
    return this.#inTime.ask((signal) => this.#post(said, signal));
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #post({ text, language, history }: SaidSoFar, signal: AbortSignal): Promise<number> {
    const { statusCode, body } = await request(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ text, language, ...(history.length === 0 ? {} : { history }) }),
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
