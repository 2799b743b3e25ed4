import type { EndOfTurnModel, SaidBefore } from "@parley/media/end-of-turn/end-of-turn-model.ts";
import { FRAME_MS, msToSamples } from "@parley/media/pcm.ts";
import type { SpokenMessage } from "./conversation-ports.ts";

/** How many lines of the conversation the model gets, and how many characters from the end of each. */
const MAX_LINES = 6;
const MAX_LINE_CHARS = 400;
/** A voice begins slightly before the detector is sure of it. */
const BEFORE_VOICE_MS = 200;

interface Line extends SaidBefore {
  readonly turn: number;
}

/** Text of the caller's that may be their whole turn. */
export interface JudgedText {
  readonly text: string;
  readonly turn: number;
  /** When the turn's first voice began. */
  readonly startedAtMs: number;
}

export interface CallJudgeOptions {
  /** The operator's model, if one is configured. */
  readonly model: EndOfTurnModel | undefined;
  readonly language: string;
  readonly now: () => number;
}

/** Asks the end-of-turn model for one call, with the preceding lines and the caller's audio if the model listens. */
export class CallJudge {
  readonly #options: CallJudgeOptions;
  readonly #ring: Int16Array;
  #written = 0;
  #lines: readonly Line[] = [];

  constructor(options: CallJudgeOptions) {
    this.#options = options;
    this.#ring = new Int16Array(msToSamples(options.model?.hearsMs ?? 0));
  }

  /** Takes each frame of the caller's audio. */
  hear(frame: Int16Array): void {
    if (this.#ring.length === 0) return;
    for (const sample of frame) this.#ring[this.#written++ % this.#ring.length] = sample;
  }

  /** Notes what was said. What a caller adds to a turn counts as the turn's text so far. */
  add({ turn, role, wholeText }: SpokenMessage): void {
    if (!this.#options.model) return;
    const others =
      role === "user" ? this.#lines.filter((line) => line.turn !== turn || line.role !== role) : this.#lines;
    this.#lines = [...others, { turn, role, text: wholeText.slice(-MAX_LINE_CHARS) }].slice(-MAX_LINES);
  }

  async ask({ text, turn, startedAtMs }: JudgedText): Promise<number | undefined> {
    const { model, language, now } = this.#options;
    const history = this.#lines
      .filter((line) => line.turn < turn)
      .map(({ role, text }): SaidBefore => ({ role, text }));
    const sound = (): Int16Array => this.#last(now() - startedAtMs + BEFORE_VOICE_MS);
    return model?.ask({ text, language, history, sound });
  }

  #last(ms: number): Int16Array {
    const { length } = this.#ring;
    const count = Math.min(msToSamples(Math.max(FRAME_MS, Math.round(ms))), length, this.#written);
    const from = this.#written - count;
    return Int16Array.from({ length: count }, (_, i) => this.#ring[(from + i) % length] as number);
  }
}
