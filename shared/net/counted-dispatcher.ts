import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { type EgressOutcome, outcomeOf } from "./egress-outcome.ts";
import { PassingHandler } from "./passing-handler.ts";

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

/** Counts one outcome. */
class CountingHandler extends PassingHandler {
  readonly #onOutcome: (outcome: EgressOutcome) => void;
  #isCounted = false;

  constructor(handler: Dispatcher.DispatchHandler, onOutcome: (outcome: EgressOutcome) => void) {
    super(handler);
    this.#onOutcome = onOutcome;
  }

  count(outcome: EgressOutcome): void {
    if (this.#isCounted) return;
    this.#isCounted = true;
    this.#onOutcome(outcome);
  }

  override onRequestUpgrade(...all: Parameters<PassingHandler["onRequestUpgrade"]>): void {
    this.count("answered");
    super.onRequestUpgrade(...all);
  }

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusMessage?: string,
  ): void {
    // 1xx means that the answer is still to come.
    if (status >= FIRST_FINAL_STATUS) this.count("answered");
    super.onResponseStart(controller, status, headers, statusMessage);
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.count(outcomeOf(error));
    super.onResponseError(controller, error);
  }
}
