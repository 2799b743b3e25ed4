import { msToSamples, PCM_RATE_HZ } from "@parley/media/pcm.ts";
import type { CharTime } from "@parley/media/tts/char-times.ts";

/** One clause of an answer and where its audio lies on the answer's own sample clock. */
export interface SpokenClause {
  readonly text: string;
  readonly startSample: number;
  /** Undefined while its audio is still coming. */
  readonly endSample: number | undefined;
  /** When its characters are said, from its own beginning, in order; empty where the voice does not tell. */
  readonly times?: CharTime[];
}

/** Speech that the voice told nothing of for so long goes on at the rate. */
const UNTOLD_SAMPLES = msToSamples(1_000);
/** A middling speech rate, for a clause whose full length is not known yet. */
const CHARS_PER_SECOND = 15;

/**
 * The part of an answer the caller really heard: whole clauses before `heardSamples`, and of the clause
 * it falls into the words that were spoken in full, going by the times the voice gave, else by the share of its audio. `speed`: what the voice was asked for.
 */
export function heardText(clauses: readonly SpokenClause[], heardSamples: number, speed = 1): string {
  const heard: string[] = [];
  for (const clause of clauses) {
    if (clause.endSample !== undefined && clause.endSample <= heardSamples) {
      heard.push(clause.text.trim());
      continue;
    }
    heard.push(wholeWords(clause, heardSamples - clause.startSample, speed));
    break;
  }
  return heard.filter((text) => text !== "").join(" ");
}

function wholeWords(clause: SpokenClause, heardSamples: number, speed: number): string {
  if (heardSamples <= 0) return "";
  const text = clause.text.trim();
  const chars = saidChars(clause, heardSamples) ?? estimatedChars(clause, heardSamples, speed);
  if (chars >= text.length) return text;
  const words = new Intl.Segmenter(undefined, { granularity: "word" }).segment(text);
  let end = 0;
  for (const word of words) {
    if (word.index + word.segment.length > chars) break;
    if (word.isWordLike) end = word.index + word.segment.length;
  }
  return text.slice(0, end);
}

/** How many characters of the trimmed text were said, as the voice told; undefined where it did not. */
function saidChars({ text, times = [] }: SpokenClause, heardSamples: number): number | undefined {
  const last = times.at(-1);
  if (!last || heardSamples > last.endSample + UNTOLD_SAMPLES) return undefined;
  const said = times.findLast(({ endSample }) => endSample <= heardSamples)?.endChar ?? 0;
  return said - (text.length - text.trimStart().length);
}

function estimatedChars(clause: SpokenClause, heardSamples: number, speed: number): number {
  const text = clause.text.trim();
  const expected = msToSamples((text.length * 1000) / (CHARS_PER_SECOND * speed));
  const total = clause.endSample === undefined ? expected : clause.endSample - clause.startSample;
  return Math.floor((heardSamples / Math.max(1, total)) * text.length);
}

interface Run {
  /** When its first sample is played, ms on the monotonic clock. */
  readonly playAtMs: number;
  samples: number;
}

/**
 * How much of an answer has been played, by the clock: the stretches of audio handed to the caller, each
 * with the time it is due at the loudspeaker. Gaps between stretches (a slow voice) count for nothing.
 */
export class PlaybackTimeline {
  #baseSamples = 0;
  #runs: Run[] = [];

  /** `samples` of audio will be played from `playAtMs` on. */
  sent(playAtMs: number, samples: number): void {
    const last = this.#runs.at(-1);
    if (last && Math.abs(last.playAtMs + toMs(last.samples) - playAtMs) < 1) last.samples += samples;
    else this.#runs.push({ playAtMs, samples });
  }

  /** Samples the caller has heard at `nowMs`, if nothing was thrown away. */
  playedSamples(nowMs: number): number {
    let played = this.#baseSamples;
    for (const run of this.#runs) {
      played += Math.min(run.samples, Math.max(0, msToSamples(nowMs - run.playAtMs)));
    }
    return played;
  }

  /** Everything handed out so far, heard or not. */
  get sentSamples(): number {
    return this.#runs.reduce((sum, run) => sum + run.samples, this.#baseSamples);
  }

  /** Playback was cut and goes on from `heardSamples`. */
  restartAt(heardSamples: number): void {
    this.#baseSamples = heardSamples;
    this.#runs = [];
  }
}

function toMs(samples: number): number {
  return (samples * 1000) / PCM_RATE_HZ;
}
