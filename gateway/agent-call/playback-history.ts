import type { AgentLine } from "@parley/shared/brain/client.ts";
import type { Heard } from "@parley/shared/contracts/brain.ts";

/** Lines of the agent's own that are kept; the oldest gives way. */
const MAX_LINES = 50;

/** What the brain has to be told with a turn: how much of an answer was really heard, and what else was said. */
export class PlaybackHistory {
  #heard: Heard | undefined;
  /** The turn whose requests tell `#heard`; the next one that is asked when undefined. */
  #toldWith: number | undefined;
  #asked: number | undefined;
  #abandoned: number | undefined;
  #lines: readonly AgentLine[] = [];

  /** What the agent said that no brain gave it, as far as it was heard, in order. */
  get lines(): readonly AgentLine[] {
    return this.#lines;
  }

  line(line: AgentLine): void {
    this.#lines = [...this.#lines, line].slice(-MAX_LINES);
  }

  /** The answer to `heard.turn` was cut there. */
  cut(heard: Heard): void {
    this.#heard = heard;
    this.#toldWith = undefined;
  }

  /** A turn was given up before anything of its answer was heard. */
  abandon(turn: number): void {
    // A brain that was never asked has no answer to cut: it is still to be told what was heard before.
    if (this.#asked === turn) this.#abandoned = turn;
  }

  /** For the request of `turn`; asked again for the same turn it is the same, and for a later one it is gone. */
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
