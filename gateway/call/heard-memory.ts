import type { Heard } from "@parley/shared/contracts/brain.ts";

/** What the brain has to be told with a turn: how much of its answer before was really heard. */
export class HeardMemory {
  #kept: { readonly forTurn: number; readonly heard: Heard } | undefined;
  #abandonedTurn: number | undefined;

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
