import {
  MAX_FLOOR_DECISIONS,
  type RecordedFloorDecision,
  type TurnFloor,
} from "@parley/shared/contracts/floor.ts";
import type { FloorDecision } from "../turn/floor-decision.ts";

/** Places of a turn reserved for its endings and its answer, since pauses and noises may be many. */
const KEPT_FOR_ENDS = 8;
/** Maximum number of unreported turns; an answer that is heard reports the turns before it. */
const MAX_TURNS = 16;
const ENDS: ReadonlySet<FloorDecision["decision"]> = new Set(["end_turn", "interrupt", "take_back"]);

interface Piece {
  readonly turn: number;
  readonly decisions: RecordedFloorDecision[];
  dropped: number;
}

/** Collects the floor decisions of a call until they are reported. */
export class FloorRecord {
  readonly #now: () => number;
  readonly #startedMs: number;
  #pieces: Piece[] = [];
  #turn = 0;
  /** Decisions kept for the current turn, reported or not. */
  #kept = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#startedMs = now();
  }

  add({ turn: told, ...made }: FloorDecision): void {
    // A late decision about an answer that is over counts toward the turn in which it arrives.
    const turn = Math.max(told, this.#turn);
    if (turn > this.#turn) this.#kept = 0;
    this.#turn = turn;
    const piece = this.#pieceOf(turn);
    const places = MAX_FLOOR_DECISIONS - (ENDS.has(made.decision) ? 0 : KEPT_FOR_ENDS);
    if (this.#kept >= places) {
      piece.dropped += 1;
      return;
    }
    this.#kept += 1;
    piece.decisions.push({ atMs: Math.round(this.#now() - this.#startedMs), ...made });
  }

  /** Takes the unreported decisions as a field of an event; there is no field if there are none. */
  take(): { floor?: TurnFloor[] } {
    const floor = this.#pieces;
    this.#pieces = [];
    return floor.length === 0 ? {} : { floor };
  }

  #pieceOf(turn: number): Piece {
    const last = this.#pieces.at(-1);
    if (last?.turn === turn) return last;
    const piece: Piece = { turn, decisions: [], dropped: 0 };
    this.#pieces.push(piece);
    const [oldest, next] = this.#pieces;
    if (this.#pieces.length > MAX_TURNS && oldest && next) {
      next.dropped += oldest.decisions.length + oldest.dropped;
      this.#pieces.shift();
    }
    return piece;
  }
}
