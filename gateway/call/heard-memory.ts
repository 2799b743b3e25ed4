import type { AgentLine } from "@parley/shared/brain/client.ts";
import type { Heard } from "@parley/shared/contracts/brain.ts";

/** Lines of the agent's own that are kept; the oldest gives way. */
const MAX_LINES = 50;

/** What the brain has to be told with a turn: how much of its answer before was really heard, and what else was said. */
export class HeardMemory {
  #kept: { readonly forTurn: number; readonly heard: Heard } | undefined;
  #abandonedTurn: number | undefined;
  #lines: readonly AgentLine[] = [];

  /** What the agent said that no brain gave it, as far as it was heard, in order. */
  get lines(): readonly AgentLine[] {
    return this.#lines;
  }

  line(line: AgentLine): void {
    this.#lines = [...this.#lines, line].slice(-MAX_LINES);
  }

  /** The answer before `forTurn` was cut. */
  cut(forTurn: number, heard: Heard): void {
    this.#kept = { forTurn, heard };
  }

  /** A turn was given up before anything of its answer was heard. */
  abandon(turn: number): void {
    this.#abandonedTurn = turn;
  }

  /** For the request of `turn`; asked again for the same turn it is the same. */
  before(turn: number): Heard | undefined {
    const abandoned = this.#abandonedTurn;
    this.#abandonedTurn = undefined;
    if (abandoned !== undefined && abandoned !== turn) {
      // What was told, or would have been told, with the abandoned request still holds for this one.
      const told = this.#kept?.forTurn === abandoned ? this.#kept.heard : undefined;
      this.#kept = { forTurn: turn, heard: told ?? { text: "", interruptedAtMs: 0 } };
    }
    return this.#kept?.forTurn === turn ? this.#kept.heard : undefined;
  }
}
