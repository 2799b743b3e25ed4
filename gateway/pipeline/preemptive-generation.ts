import type { AnswerRequest } from "./answer-request.ts";

/** At most one brain request made ahead of the end of the turn. */
export class PreemptiveGeneration {
  readonly #onOutcome: (outcome: "adopted" | "dropped") => void;
  readonly #onDropped: (request: AnswerRequest) => void;
  #request: AnswerRequest | undefined;

  constructor(deps: {
    onOutcome: (outcome: "adopted" | "dropped") => void;
    onDropped: (request: AnswerRequest) => void;
  }) {
    this.#onOutcome = deps.onOutcome;
    this.#onDropped = deps.onDropped;
  }

  start(request: AnswerRequest): void {
    this.drop();
    this.#request = request;
  }

  /** Aborts the request because the caller kept talking; the endpoint sees its client disconnect. */
  drop(): void {
    if (!this.#request) return;
    this.#request.controller.abort();
    this.#onDropped(this.#request);
    this.#request = undefined;
    this.#onOutcome("dropped");
  }

  /** Hands the request over to the turn it was made for. */
  adopt(query: string): AnswerRequest | undefined {
    const request = this.#request;
    if (request?.query !== query) return undefined;
    this.#request = undefined;
    this.#onOutcome("adopted");
    return request;
  }
}
