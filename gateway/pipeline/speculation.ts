import type { Thought } from "./thought.ts";

/** At most one brain request made ahead of the end of the turn. */
export class Speculation {
  readonly #onOutcome: (outcome: "adopted" | "dropped") => void;
  readonly #onDropped: (thought: Thought) => void;
  #thought: Thought | undefined;

  constructor(deps: {
    onOutcome: (outcome: "adopted" | "dropped") => void;
    onDropped: (thought: Thought) => void;
  }) {
    this.#onOutcome = deps.onOutcome;
    this.#onDropped = deps.onDropped;
  }

  start(thought: Thought): void {
    this.drop();
    this.#thought = thought;
  }

  /** The caller went on talking: the endpoint sees its client go away. */
  drop(): void {
    if (!this.#thought) return;
    this.#thought.controller.abort();
    this.#onDropped(this.#thought);
    this.#thought = undefined;
    this.#onOutcome("dropped");
  }

  /** Hands the request over to the turn it was made for. */
  adopt(query: string): Thought | undefined {
    const thought = this.#thought;
    if (thought?.query !== query) return undefined;
    this.#thought = undefined;
    this.#onOutcome("adopted");
    return thought;
  }
}
