import { samplesToMs } from "../pcm.ts";

/** A middling speech rate, until the voice's own is known. */
const DEFAULT_MS_PER_CHAR = 65;

/** How fast a voice speaks, learned from the clauses it finished. */
export class SpeechRate {
  readonly #usualMsPerChar: number;
  #chars = 0;
  #ms = 0;

  /** `speed`: what the voice was asked for. */
  constructor(speed = 1) {
    this.#usualMsPerChar = DEFAULT_MS_PER_CHAR / speed;
  }

  learn(text: string, samples: number): void {
    this.#chars += text.length;
    this.#ms += samplesToMs(samples);
  }

  get msPerChar(): number {
    return this.#ms > 0 && this.#chars > 0 ? this.#ms / this.#chars : this.#usualMsPerChar;
  }
}

/** The rates of a call's voices, which outlive its answers: a voice that dies in the first clause of one is known from those before. */
export class SpeechRates {
  readonly #byVoice = new Map<string, SpeechRate>();
  readonly #speed: number;

  constructor(speed = 1) {
    this.#speed = speed;
  }

  of(voice: string): SpeechRate {
    const known = this.#byVoice.get(voice);
    if (known) return known;
    const rate = new SpeechRate(this.#speed);
    this.#byVoice.set(voice, rate);
    return rate;
  }
}

/**
 * What is left of a clause after `spokenSamples` of it, estimated by duration and cut at the nearest
 * beginning of a word: the caller hears no word's half twice.
 */
export function unspokenPart(text: string, spokenSamples: number, msPerChar: number): string {
  const spokenChars = samplesToMs(spokenSamples) / msPerChar;
  const wordStarts = [0, ...[...text.matchAll(/\s+(?=\S)/gu)].map(({ index, 0: gap }) => index + gap.length)];
  const cuts = [...wordStarts, text.length];
  const nearest = cuts.reduce((best, cut) =>
    Math.abs(cut - spokenChars) < Math.abs(best - spokenChars) ? cut : best,
  );
  return text.slice(nearest);
}
