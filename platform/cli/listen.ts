import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "./api-call.ts";
import type { Claimed, ClaimedDelivery, Listener, ListenerApi, LocalAnswer, Reported } from "./api-client.ts";
import { forward } from "./forward.ts";
import type { ListenOptions } from "./options.ts";
import type { Output } from "./output.ts";

const WAIT_SECS = 25;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5_000;
const GONE = 404;
const CONFLICT = 409;

export interface ListeningDeps {
  readonly api: ListenerApi;
  readonly output: Output;
  /** Ends the listening. */
  readonly signal: AbortSignal;
}

/** Fetches deliveries one at a time, posts each to its target and reports the outcome to Parley. */
export class Listening {
  readonly #options: ListenOptions;
  readonly #deps: ListeningDeps;
  #isLost = false;

  constructor(options: ListenOptions, deps: ListeningDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Resolves once `signal` has ended the run and the server holds no trace of the listener. Throws `ApiError`. */
  async run(): Promise<void> {
    const { api, output, signal } = this.#deps;
    let listener: Listener | undefined;
    try {
      listener = await api.create(this.#options, signal);
      output.ready(listener);
      while (!signal.aborted) listener = await this.#round(listener);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (listener) await this.#leave(listener);
    }
  }

  /** Handles the deliveries that are due; returns the listener to continue with. */
  async #round(listener: Listener): Promise<Listener> {
    const claimed = await this.#claim(listener);
    if (claimed === undefined) return this.#renew();
    for (const delivery of claimed.deliveries) await this.#handle(listener, claimed.claimId, delivery);
    return listener;
  }

  /** Returns undefined when the listener is gone. */
  async #claim({ id }: Listener): Promise<Claimed | undefined> {
    const { api, signal } = this.#deps;
    try {
      // After an outage, the first answer should come at once.
      return await this.#untilAnswered(() => api.claim(id, this.#isLost ? 0 : WAIT_SECS, signal));
    } catch (error) {
      if (error instanceof ApiError && error.status === GONE) return undefined;
      throw error;
    }
  }

  async #renew(): Promise<Listener> {
    const { api, output, signal } = this.#deps;
    const listener = await this.#untilAnswered(() => api.create(this.#options, signal));
    output.renewed(listener);
    return listener;
  }

  async #handle(listener: Listener, claimId: string, delivery: ClaimedDelivery): Promise<void> {
    const { output, signal } = this.#deps;
    const { forward: target } = this.#options;
    const answer = target && (await forward(target, delivery, signal));
    const shown = { status: 200, body: "", durationMs: 0 };
    const ids = { id: listener.id, claimId, deliveryId: delivery.id };
    const reported = await this.#report(ids, answer ?? shown);
    output.handled({ delivery, answer, reported });
  }

  /** Returns undefined when the lease had expired. */
  async #report(
    ids: { id: string; claimId: string; deliveryId: string },
    answer: LocalAnswer,
  ): Promise<Reported | undefined> {
    const { api, signal } = this.#deps;
    try {
      return await this.#untilAnswered(() => api.report(ids, answer, signal));
    } catch (error) {
      if (error instanceof ApiError && (error.status === CONFLICT || error.status === GONE)) return undefined;
      throw error;
    }
  }

  /** Retries while the network or server fails transiently, and says so once. */
  async #untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    const { output, signal } = this.#deps;
    for (let tries = 0; ; tries++) {
      try {
        const answer = await ask();
        if (this.#isLost) output.notice("Connected again.");
        this.#isLost = false;
        return answer;
      } catch (error) {
        if (signal.aborted || !(error instanceof ApiError && error.isPassing)) throw error;
        if (!this.#isLost) output.notice(`${error.message} Trying again. Events wait in the meantime.`);
        this.#isLost = true;
        await sleep(Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** tries), undefined, { signal });
      }
    }
  }

  /** A listener that cannot be deleted now expires on its own. */
  async #leave({ id }: Listener): Promise<void> {
    const { api, output } = this.#deps;
    await api.delete(id).catch((error: unknown) => {
      if (error instanceof ApiError && error.isPassing) {
        output.notice("Parley could not be told; the listener ends by itself within two minutes.");
      }
    });
  }
}
