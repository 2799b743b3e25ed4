import { isBackchannel } from "@parley/media/end-of-turn/backchannel.ts";
import type { SttEvent } from "@parley/media/stt/port.ts";
import { DECIDED_MS } from "../turn/own-voice.ts";
import type { OthersText, OwnHearing } from "./own-hearing.ts";

const IS_ECHO: OthersText = { text: "", own: "own_voice" };
const ARE_OWN_WORDS: OthersText = { text: "", own: "own_words" };

/** Text from the recognizer. */
export type RecognizedEvent = Extract<SttEvent, { type: "interim" | "final" }>;

export interface UndecidedTextsOptions {
  /**
   * `echoes`: how many were found; `isLikelyEcho`, `maybeEcho`: how sure one is; `isOver`: none can come any more;
   * `origin`: whose sound was heard; `areOwnWords`: the text is too long a run of the agent's to be a caller's.
   */
  readonly own: Pick<
    OwnHearing,
    "echoes" | "isLikelyEcho" | "maybeEcho" | "isOver" | "origin" | "areOwnWords"
  >;
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
    const { own } = this.#options;
    this.#forgetGrown();
    if (others.undecidedMs !== undefined) {
      const { echoes } = own;
      this.#waiting.push({ event, others, atMs: nowMs, forMs: others.undecidedMs, echoes });
      if (this.#areOwn(nowMs)) this.#release(nowMs, ARE_OWN_WORDS);
      return;
    }
    // Text that continues belongs to the same speaker as its beginning; a listener's "uh-huh" continues nothing.
    if (others.text !== "") this.#release(nowMs, isBackchannel(others.text) ? this.#otherwise : undefined);
    this.#options.tell(event, others, nowMs);
  }

  /** Called every 20 ms. */
  tick(nowMs: number): void {
    const first = this.#waiting[0];
    const last = this.#waiting.at(-1);
    if (first === undefined || last === undefined) return;
    const { echoes, isLikelyEcho, maybeEcho, isOver, origin } = this.#options.own;
    const { theirFrames = Number.POSITIVE_INFINITY, mayJoin } = first.others;
    // A caller who is clearly heard does not wait longer for each further word of theirs.
    const judged = mayJoin || first.others.theirFrames !== undefined ? last : first;
    const untilMs = judged.atMs + (maybeEcho ? DECIDED_MS : judged.forMs);
    if (origin.theirFrames >= theirFrames) this.#release(nowMs);
    else if (echoes > first.echoes || isLikelyEcho) this.#release(nowMs, IS_ECHO);
    else if (isOver || nowMs >= untilMs) this.#release(nowMs, this.#otherwise);
  }

  drop(): void {
    this.#waiting = [];
  }

  /** What becomes of the text that waits if nothing else is found out. */
  get #otherwise(): OthersText | undefined {
    return this.#waiting[0]?.others.theirFrames === undefined ? undefined : ARE_OWN_WORDS;
  }

  /** Text beside a caller that has grown or settled was judged anew, as a whole. */
  #forgetGrown(): void {
    this.#waiting = this.#waiting.filter(
      ({ event, others }) => event.type === "final" || others.theirFrames === undefined,
    );
  }

  /** True if all that waits is, as one text, what no caller asks back with. */
  #areOwn(nowMs: number): boolean {
    if (this.#waiting.length < 2 || !this.#waiting.every(({ others }) => others.mayJoin)) return false;
    const texts = this.#waiting.filter(
      ({ event }, i) => event.type === "final" || i === this.#waiting.length - 1,
    );
    const text = texts.map(({ others }) => others.text).join(" ");
    return this.#options.own.areOwnWords(text, nowMs);
  }

  #release(nowMs: number, verdict?: OthersText): void {
    const { tell } = this.#options;
    for (const { event, others } of this.#waiting.splice(0)) {
      tell(event, verdict ?? { text: others.text }, nowMs);
    }
  }
}
