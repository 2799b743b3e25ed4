import type { SttEvent } from "@parley/media/stt/port.ts";
import { DECIDED_MS } from "../turn/own-voice.ts";
import type { OthersText, OwnHearing } from "./own-hearing.ts";

const IS_ECHO: OthersText = { text: "", own: "own_voice" };

/** Text from the recognizer. */
export type RecognizedEvent = Extract<SttEvent, { type: "interim" | "final" }>;

export interface UndecidedTextsOptions {
  /** `echoes`: how many were found; `isLikelyEcho`, `maybeEcho`: how sure one is; `isOver`: none can come any more. */
  readonly own: Pick<OwnHearing, "echoes" | "isLikelyEcho" | "maybeEcho" | "isOver">;
  readonly tell: (event: RecognizedEvent, others: OthersText, nowMs: number) => void;
}

interface Waiting {
  readonly event: RecognizedEvent;
  readonly others: OthersText;
  readonly atMs: number;
  readonly forMs: number;
  readonly echoes: number;
}

/**
 * Holds a word or two of the agent's that were heard before an echo is confirmed or ruled out: passed on as the
 * caller's, they would stop the agent. All other text passes in the order in which it came.
 */
export class UndecidedTexts {
  readonly #options: UndecidedTextsOptions;
  #waiting: Waiting[] = [];

  constructor(options: UndecidedTextsOptions) {
    this.#options = options;
  }

  take(event: RecognizedEvent, others: OthersText, nowMs: number): void {
    if (others.undecidedMs !== undefined) {
      const { echoes } = this.#options.own;
      this.#waiting.push({ event, others, atMs: nowMs, forMs: others.undecidedMs, echoes });
      return;
    }
    // Text that continues belongs to the same speaker as its beginning.
    if (others.text !== "") this.#release(nowMs);
    this.#options.tell(event, others, nowMs);
  }

  /** Called every 20 ms. */
  tick(nowMs: number): void {
    const first = this.#waiting[0];
    if (first === undefined) return;
    const { echoes, isLikelyEcho, maybeEcho, isOver } = this.#options.own;
    const untilMs = first.atMs + (maybeEcho ? DECIDED_MS : first.forMs);
    if (echoes > first.echoes || isLikelyEcho) this.#release(nowMs, IS_ECHO);
    else if (isOver || nowMs >= untilMs) this.#release(nowMs);
  }

  drop(): void {
    this.#waiting = [];
  }

  #release(nowMs: number, verdict?: OthersText): void {
    const { tell } = this.#options;
    for (const { event, others } of this.#waiting.splice(0)) {
      tell(event, verdict ?? { text: others.text }, nowMs);
    }
  }
}
