import { samplesToMs } from "../pcm.ts";

/** A medium speech rate, until the voice's own is known. */
const DEFAULT_MS_PER_CHAR = 65;

/** How fast a voice speaks, learned from its finished clauses. */
export class SpeechRate {
  readonly #usualMsPerChar: number;
  #chars = 0;
  #ms = 0;

  /** `speed`: the requested speed of the voice. */
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

/** Speech rates of a call's voices, kept across answers: a voice that dies in a first clause is already known. */
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
 * The rest of a clause after `spokenSamples` of its audio, estimated by duration and cut at the nearest start of a
 * word, so that the caller never hears half a word twice.
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
