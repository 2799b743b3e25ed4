import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { type EgressOutcome, outcomeOf } from "./egress-outcome.ts";

const FIRST_FINAL_STATUS = 200;

/** Wraps a dispatcher so that it reports the outcome of each request once. */
export function countedDispatcher(
  dispatcher: Dispatcher,
  onOutcome: (outcome: EgressOutcome) => void,
): Dispatcher {
  return dispatcher.compose((dispatch) => (request, handler) => {
    const counting = new CountingHandler(handler, onOutcome);
    try {
      return dispatch(request, counting);
    } catch (error) {
      counting.count(outcomeOf(error));
      throw error;
    }
  });
}

/** Passes everything through unchanged. */
class CountingHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #onOutcome: (outcome: EgressOutcome) => void;
  #isCounted = false;

  constructor(handler: Dispatcher.DispatchHandler, onOutcome: (outcome: EgressOutcome) => void) {
    this.#handler = handler;
    this.#onOutcome = onOutcome;
  }

  count(outcome: EgressOutcome): void {
    if (this.#isCounted) return;
    this.#isCounted = true;
    this.#onOutcome(outcome);
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(...all: Parameters<NonNullable<Dispatcher.DispatchHandler["onRequestUpgrade"]>>): void {
    this.count("answered");
    this.#handler.onRequestUpgrade?.(...all);
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusMessage?: string,
  ): void {
    // 1xx means that the answer is still to come.
    if (status >= FIRST_FINAL_STATUS) this.count("answered");
    this.#handler.onResponseStart?.(controller, status, headers, statusMessage);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.count(outcomeOf(error));
    this.#handler.onResponseError?.(controller, error);
  }

  onBodySent(chunk: Buffer): void {
    this.#handler.onBodySent?.(chunk);
  }

  onRequestSent(): void {
    this.#handler.onRequestSent?.();
  }
}
