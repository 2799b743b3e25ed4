import { CONTEXT_SAMPLES, conceal } from "@parley/media/concealment/conceal.ts";
import { msToSamples, samplesToMs } from "@parley/media/pcm.ts";

/** What is lost in one piece and longer than this is not made up: a recognizer would hear a word that nobody said. */
const LONGEST_LOSS_MS = 60;
/** A message that is missing is so much of its length, more or less. */
const SAME_SHARE = 0.4;
/** The message behind a gap waits for the next one, which tells a loss from a delay, and for no longer than this. */
const DECIDED_MS = 50;
/** A line on which audio came all at once this long ago delays it, and is not taken to lose any. */
const UNSTEADY_MS = 1_000;

export interface LossConcealmentOptions {
  /** Audio that arrived at `nowMs`. Everything that came is placed, once and in its order. */
  readonly place: (nowMs: number, samples: Int16Array) => void;
  /** What was made up for audio that was lost in front of the next that is placed. */
  readonly fill: (samples: Int16Array) => void;
}

interface Suspect {
  readonly samples: Int16Array;
  readonly atMs: number;
  readonly lostSamples: number;
}

/**
 * Finds messages of a caller's audio that never came, on a line that is otherwise punctual, and makes up what was in them. A
 * message that was only late is followed by others at once; after one that was lost they come as they were spoken
 * (docs/decisions/turns.md#lost-frames-made-up).
 */
export class LossConcealment {
  readonly #options: LossConcealmentOptions;
  readonly #before = new Int16Array(CONTEXT_SAMPLES);
  #lastMs: number | undefined;
  #steadyFromMs = Number.NEGATIVE_INFINITY;
  #suspect: Suspect | undefined;

  constructor(options: LossConcealmentOptions) {
    this.#options = options;
  }

  /** Takes what arrived at `nowMs`; `samples` may be reused afterwards. */
  push(nowMs: number, samples: Int16Array): void {
    const lengthMs = samplesToMs(samples.length);
    const sinceMs = nowMs - (this.#lastMs ?? nowMs - lengthMs);
    this.#lastMs = nowMs;
    const isLate = sinceMs < lengthMs / 2;
    if (isLate) this.#steadyFromMs = nowMs + UNSTEADY_MS;
    this.#decide(isLate ? undefined : samples);
    const lostSamples = nowMs < this.#steadyFromMs ? 0 : lostBefore(sinceMs - lengthMs, lengthMs);
    if (lostSamples > 0) this.#suspect = { samples: samples.slice(), atMs: nowMs, lostSamples };
    else this.#place(nowMs, samples);
  }

  /** Called every 20 ms. */
  tick(nowMs: number): void {
    if (this.#suspect && nowMs >= this.#suspect.atMs + DECIDED_MS) this.#decide(undefined);
  }

  /** `next`: what came in its own time after the gap; without it nothing was lost. */
  #decide(next: Int16Array | undefined): void {
    const suspect = this.#suspect;
    if (!suspect) return;
    this.#suspect = undefined;
    const { samples, atMs, lostSamples } = suspect;
    if (next) this.#options.fill(conceal(lostSamples, this.#before, joined(samples, next)));
    this.#place(atMs, samples);
  }

  #place(nowMs: number, samples: Int16Array): void {
    this.#options.place(nowMs, samples);
    const kept = samples.subarray(-CONTEXT_SAMPLES);
    this.#before.copyWithin(0, kept.length);
    this.#before.set(kept, CONTEXT_SAMPLES - kept.length);
  }
}

/** How much is missing where a message came `gapMs` later than the audio of the one before it lasts; 0 for nothing, or too much. */
function lostBefore(gapMs: number, lengthMs: number): number {
  const messages = Math.round(gapMs / lengthMs);
  const lostMs = messages * lengthMs;
  if (messages < 1 || lostMs > LONGEST_LOSS_MS) return 0;
  return Math.abs(gapMs - lostMs) <= lengthMs * SAME_SHARE ? msToSamples(lostMs) : 0;
}

function joined(a: Int16Array, b: Int16Array): Int16Array {
  const both = new Int16Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
