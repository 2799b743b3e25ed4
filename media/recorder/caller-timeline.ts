import { PCM_RATE_HZ } from "../pcm.ts";

export interface CallerTimelineOptions {
  /** Monotonic time of sample 0. */
  readonly startMs: number;
  /** Takes audio at its position on the timeline. Positions never overlap and never go back. */
  readonly write: (at: number, samples: Int16Array) => void;
}

const toSamples = (ms: number): number => Math.round((ms * PCM_RATE_HZ) / 1000);

/** Audio this much behind the clock either comes after a gap or is the first of what a stall has held back. */
const LATE_SAMPLES = toSamples(60);
/** After a gap nothing is decided for this long: what follows a stall comes at once. */
const HOLD_MS = 40;
/** A stall whose audio still comes faster than it was spoken is waited for, at most so long. */
const MAX_HOLD_MS = 1_000;
const CATCHING_UP = 1.5;
/** A message that comes this soon after the one before was not held up: what is missing was lost. */
const IN_TIME_SAMPLES = toSamples(60);
/** The sender's clock is held against ours over this many messages, by the one that came soonest. */
const WINDOW_MESSAGES = 100;
/** A drift of less is no drift. */
const DRIFT_SAMPLES = toSamples(15);
/** A drift of more is mended in the middle of a word, too. */
const MAX_DRIFT_SAMPLES = toSamples(200);
/** Peak of a message in which nobody would miss 20 ms, of 32,767. */
const QUIET_PEAK = 400;

/**
 * Puts a caller's audio onto the call's sample clock, however the network delivers it. Audio that a stall held back is
 * placed once, in order, where it was spoken; after a gap (a muted app) it is placed where the clock is; a sender whose
 * clock runs fast or slow is followed in the pauses of speech. Nothing that arrived is lost but for what a fast clock adds.
 */
export class CallerTimeline {
  readonly #startMs: number;
  readonly #write: CallerTimelineOptions["write"];
  /** Where the audio so far ends. */
  #next = 0;
  #held: Int16Array[] = [];
  #heldSamples = 0;
  #heldSinceMs = 0;
  #heldUntilMs = 0;
  #lastMs = 0;
  /** How far behind the clock the soonest message of the window came; negative when ahead of it. */
  #soonest = Number.POSITIVE_INFINITY;
  #messages = 0;
  /** Samples still to be left out (positive) or filled in (negative) in the next pause. */
  #surplus = 0;

  constructor({ startMs, write }: CallerTimelineOptions) {
    this.#startMs = startMs;
    this.#write = write;
  }

  /** The clock's position at `nowMs`. */
  positionAt(nowMs: number): number {
    return toSamples(nowMs - this.#startMs);
  }

  /** Audio that arrived at `nowMs`; `samples` may be reused afterwards. */
  push(nowMs: number, samples: Int16Array): void {
    const onTime = Math.max(0, this.positionAt(nowMs) - samples.length);
    const sinceLastSamples = toSamples(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    const lateSamples = onTime - this.#next;
    // Frames that were lost make the rest late as well: silence in their place can wait for a pause.
    const mostSamples = sinceLastSamples <= IN_TIME_SAMPLES ? MAX_DRIFT_SAMPLES : LATE_SAMPLES;
    if (this.#heldSamples > 0 || lateSamples > mostSamples) this.#hold(nowMs, samples, sinceLastSamples);
    else this.#place(samples, lateSamples);
  }

  /** Leaves `count` samples free where the next ones would have come, and tells where; nothing while a stall is waited for. */
  skip(count: number): number | undefined {
    if (this.#heldSamples > 0) return undefined;
    const at = this.#next;
    this.#next += count;
    return at;
  }

  /** Called every 20 ms. */
  tick(nowMs: number): void {
    if (this.#heldSamples > 0 && nowMs >= this.#heldUntilMs) this.#release();
  }

  /** Places what is held; nothing comes after it. */
  end(): void {
    if (this.#heldSamples > 0) this.#release();
  }

  #hold(nowMs: number, samples: Int16Array, sinceLastSamples: number): void {
    const isFirst = this.#heldSamples === 0;
    if (isFirst) {
      this.#heldSinceMs = nowMs;
      this.#heldUntilMs = nowMs + HOLD_MS;
    }
    this.#held.push(samples.slice());
    this.#heldSamples += samples.length;
    const isCatchingUp = !isFirst && samples.length > sinceLastSamples * CATCHING_UP;
    if (isCatchingUp) this.#heldUntilMs = Math.min(nowMs + HOLD_MS, this.#heldSinceMs + MAX_HOLD_MS);
    // All that was missing is there.
    if (this.#next + this.#heldSamples >= this.positionAt(nowMs) - LATE_SAMPLES) this.#release();
  }

  /** What was held ends where the clock was when the last of it came; what is missing before it is silence. */
  #release(): void {
    const at = this.positionAt(this.#lastMs) - this.#heldSamples;
    if (at - this.#next > LATE_SAMPLES) this.#next = at;
    for (const samples of this.#held) this.#append(samples);
    this.#held = [];
    this.#heldSamples = 0;
    this.#watchAnew();
  }

  #place(samples: Int16Array, lateSamples: number): void {
    this.#soonest = Math.min(this.#soonest, lateSamples);
    if (++this.#messages >= WINDOW_MESSAGES) {
      this.#surplus = Math.abs(this.#soonest) > DRIFT_SAMPLES ? -this.#soonest : 0;
      this.#watchAnew();
    }
    if (lateSamples > LATE_SAMPLES) this.#surplus = -lateSamples;
    const tooFar = -lateSamples - MAX_DRIFT_SAMPLES;
    if (tooFar > 0) this.#append(samples.subarray(Math.min(tooFar, samples.length)));
    else if (this.#surplus !== 0 && isQuiet(samples)) this.#mendDrift(samples);
    else this.#append(samples);
  }

  #mendDrift(samples: Int16Array): void {
    if (this.#surplus < 0) {
      this.#next -= this.#surplus;
      this.#surplus = 0;
      this.#append(samples);
    } else {
      const dropped = Math.min(this.#surplus, samples.length);
      this.#surplus -= dropped;
      this.#append(samples.subarray(dropped));
    }
    this.#watchAnew();
  }

  #append(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#write(this.#next, samples);
    this.#next += samples.length;
  }

  #watchAnew(): void {
    this.#soonest = Number.POSITIVE_INFINITY;
    this.#messages = 0;
  }
}

function isQuiet(samples: Int16Array): boolean {
  for (const sample of samples) if (sample > QUIET_PEAK || sample < -QUIET_PEAK) return false;
  return true;
}
