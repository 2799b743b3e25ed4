import { msToSamples, PCM_RATE_HZ } from "@parley/media/pcm.ts";
import type { CharTime } from "@parley/media/tts/char-times.ts";

/** One clause of an answer, with the place of its audio on the answer's own sample clock. */
export interface SpokenClause {
  readonly text: string;
  readonly startSample: number;
  /** Undefined while the clause's audio is still coming. */
  readonly endSample: number | undefined;
  /** When the clause's characters are said, from its beginning, in order; empty if the voice does not tell. */
  readonly times?: CharTime[];
}

/** After this long without character times, the rest of the speech is estimated at the speech rate. */
const UNTOLD_SAMPLES = msToSamples(1_000);
/** A medium speech rate, for a clause whose full length is not known yet. */
const CHARS_PER_SECOND = 15;

/**
 * Returns the part of an answer that the caller really heard: whole clauses before `heardSamples` and, of the clause at
 * that position, the words spoken in full, by the voice's character times or else by the share of its audio. `speed`:
 * the requested speed of the voice.
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

/** How many characters of the trimmed text were said, by the voice's times; undefined if it gave none. */
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
  /** When the stretch's first sample is played, ms on the monotonic clock. */
  readonly playAtMs: number;
  samples: number;
}

/**
 * Measures by the clock how much of an answer was played, from the stretches of audio handed to the caller and the time
 * each is due at the loudspeaker. Gaps between stretches (a slow voice) do not count.
 */
export class PlaybackTimeline {
  #baseSamples = 0;
  #runs: Run[] = [];

  /** Notes that `samples` samples of audio will be played from `playAtMs` on. */
  sent(playAtMs: number, samples: number): void {
    const last = this.#runs.at(-1);
    if (last && Math.abs(last.playAtMs + toMs(last.samples) - playAtMs) < 1) last.samples += samples;
    else this.#runs.push({ playAtMs, samples });
  }

  /** Samples the caller has heard at `nowMs`, provided that nothing was discarded. */
  playedSamples(nowMs: number): number {
    let played = this.#baseSamples;
    for (const run of this.#runs) {
      played += Math.min(run.samples, Math.max(0, msToSamples(nowMs - run.playAtMs)));
    }
    return played;
  }

  /** All samples handed out so far, heard or not. */
  get sentSamples(): number {
    return this.#runs.reduce((sum, run) => sum + run.samples, this.#baseSamples);
  }

  /** Notes that playback was cut and goes on from `heardSamples`. */
  restartAt(heardSamples: number): void {
    this.#baseSamples = heardSamples;
    this.#runs = [];
  }
}

function toMs(samples: number): number {
  return (samples * 1000) / PCM_RATE_HZ;
}
