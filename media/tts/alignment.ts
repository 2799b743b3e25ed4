import { msToSamples, samplesToMs } from "../pcm.ts";
import { asObject } from "../vendor-requests/json.ts";
import type { CharTimes } from "./char-times.ts";

/** How long after its audio a character may end, since times are rounded. */
const SLACK_MS = 100;

/** A chunk's characters and times as ElevenLabs' websocket gives them, from the beginning of that chunk. */
interface ChunkTimes {
  readonly chars: readonly string[];
  readonly endsMs: readonly number[];
}

/** Reads the alignment of one clause chunk by chunk; stops for good at the first impossible one. */
export class Alignment {
  readonly #text: string;
  readonly #times: CharTimes;
  #at = 0;
  #saidSample = 0;
  #isUsable = true;

  constructor(text: string, times: CharTimes) {
    this.#text = text;
    this.#times = times;
  }

  /** Takes the `alignment` that came with `samples` samples from `fromSample` on; a missing one is no mistake. */
  push(alignment: unknown, audio: { readonly fromSample: number; readonly samples: number }): void {
    if (!this.#isUsable || alignment === null || alignment === undefined) return;
    const chunk = readChunk(alignment);
    const problem = typeof chunk === "string" ? chunk : this.#take(chunk, audio);
    if (problem === undefined) return;
    this.#isUsable = false;
    this.#times.unusable(problem);
  }

  /** Returns the problem with the chunk, if there is one. */
  #take({ chars, endsMs }: ChunkTimes, { fromSample, samples }: { fromSample: number; samples: number }) {
    const mostMs = samplesToMs(samples) + SLACK_MS;
    if (endsMs.some((ms) => ms > mostMs)) return "times after the audio's end";
    for (const [i, item] of chars.entries()) {
      if (!this.#follow(item)) return "characters that are not the text's";
      const endSample = fromSample + Math.min(samples, msToSamples(endsMs[i] ?? 0));
      this.#saidSample = Math.max(this.#saidSample, endSample);
      this.#times.said({ endChar: this.#at, endSample: this.#saidSample });
    }
    return undefined;
  }

  /** Advances in the text by a spoken item; numbers of spaces may differ. */
  #follow(item: string): boolean {
    for (const char of item) {
      if (char.trim() === "") continue;
      while (/\s/u.test(this.#text.charAt(this.#at))) this.#at += 1;
      if (!this.#text.startsWith(char, this.#at)) return false;
      this.#at += char.length;
    }
    return true;
  }
}

/** The chunk's times, or the problem with them. */
function readChunk(alignment: unknown): ChunkTimes | string {
  const json = asObject(alignment);
  const chars = json?.chars;
  const starts = json?.charStartTimesMs ?? json?.charsStartTimesMs;
  const durations = json?.charDurationsMs;
  if (!isListOf(chars, "string") || !isListOf(starts, "number") || !isListOf(durations, "number"))
    return "no lists of characters and times";
  if (starts.length !== chars.length || durations.length !== chars.length) return "lists of other lengths";
  const endsMs = starts.map((start, i) => start + (durations[i] ?? 0));
  const areTimes = [...starts, ...durations].every((ms) => Number.isFinite(ms) && ms >= 0);
  if (!areTimes) return "times that are none";
  if (starts.some((start, i) => start < (starts[i - 1] ?? 0))) return "times that go back";
  return { chars, endsMs };
}

function isListOf(value: unknown, type: "string"): value is string[];
function isListOf(value: unknown, type: "number"): value is number[];
function isListOf(value: unknown, type: string): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type);
}
