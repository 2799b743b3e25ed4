import type { AgentLine } from "@parley/shared/brain/client.ts";
import type { Heard } from "@parley/shared/contracts/brain.ts";

/** Maximum number of the agent's own lines to keep; the oldest is dropped first. */
const MAX_LINES = 50;

/** What the brain is told with a turn: how much of an answer was really heard, and what else was said. */
export class PlaybackHistory {
  #heard: Heard | undefined;
  /** The turn whose requests carry `#heard`; undefined until the next turn is asked about. */
  #toldWith: number | undefined;
  #asked: number | undefined;
  #abandoned: number | undefined;
  #lines: readonly AgentLine[] = [];

  /** What the agent said without a brain, as far as it was heard, in order. */
  get lines(): readonly AgentLine[] {
    return this.#lines;
  }

  line(line: AgentLine): void {
    this.#lines = [...this.#lines, line].slice(-MAX_LINES);
  }

  /** Notes where the answer to `heard.turn` was cut. */
  cut(heard: Heard): void {
    this.#heard = heard;
    this.#toldWith = undefined;
  }

  /** Notes that a turn was given up before any of its answer was heard. */
  abandon(turn: number): void {
    // A brain that was never asked has no answer to cut; it still has to be told what was heard before.
    if (this.#asked === turn) this.#abandoned = turn;
  }

  /** What to tell with the request for `turn`: repeated for the same turn, gone for a later one. */
  before(turn: number): Heard | undefined {
    const abandoned = this.#abandoned;
    this.#abandoned = undefined;
    if (abandoned !== undefined && abandoned !== turn)
      this.cut({ turn: abandoned, text: "", interruptedAtMs: 0 });
    this.#asked = turn;
    this.#toldWith ??= turn;
    return this.#toldWith === turn ? this.#heard : undefined;
  }
}
