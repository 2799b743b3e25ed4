import { PCM_RATE_HZ } from "../pcm.ts";

export interface CallerTimelineOptions {
  /** Monotonic time of sample 0. */
  readonly startMs: number;
  /** Takes audio at its position on the timeline. Positions never overlap and never go back. */
  readonly write: (at: number, samples: Int16Array) => void;
}

const toSamples = (ms: number): number => Math.round((ms * PCM_RATE_HZ) / 1000);

/** Audio this far behind the clock either follows a gap or is the first that a stall held back. */
const LATE_SAMPLES = toSamples(60);
/** How long no decision is made after a gap: audio that follows a stall arrives at once. */
const HOLD_MS = 40;
/** The longest wait for a stall whose audio still arrives faster than it was spoken. */
const MAX_HOLD_MS = 1_000;
const CATCHING_UP = 1.5;
/** A message this soon after the previous one was not held up: any missing audio was lost. */
const IN_TIME_SAMPLES = toSamples(60);
/** The sender's clock is compared with ours over this many messages, by the earliest of them. */
const WINDOW_MESSAGES = 100;
/** Less drift than this is ignored. */
const DRIFT_SAMPLES = toSamples(15);
/** More drift than this is corrected even in the middle of a word. */
const MAX_DRIFT_SAMPLES = toSamples(200);
/** Peak of a message from which nobody would miss 20 ms, out of 32,767. */
const QUIET_PEAK = 400;

/**
 * Puts a caller's audio on the call's sample clock, however the network delivers it. Audio that a stall held back is
 * placed once, in order, where it was spoken; audio after a gap (a muted app) is placed where the clock is; a sender's
 * fast or slow clock is followed in the pauses of speech. Nothing that arrived is lost, except for the surplus of a
 * fast clock.
 */
export class CallerTimeline {
  readonly #startMs: number;
  readonly #write: CallerTimelineOptions["write"];
  /** End of the audio so far. */
  #next = 0;
  #held: Int16Array[] = [];
  #heldSamples = 0;
  #heldSinceMs = 0;
  #heldUntilMs = 0;
  #lastMs = 0;
  /** How far behind the clock the earliest message of the window was; negative if ahead of it. */
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

  /** Takes audio that arrived at `nowMs`; `samples` may be reused afterwards. */
  push(nowMs: number, samples: Int16Array): void {
    const onTime = Math.max(0, this.positionAt(nowMs) - samples.length);
    const sinceLastSamples = toSamples(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    const lateSamples = onTime - this.#next;
    // Lost frames make the rest late as well; silence in their place can wait for a pause.
    const mostSamples = sinceLastSamples <= IN_TIME_SAMPLES ? MAX_DRIFT_SAMPLES : LATE_SAMPLES;
    if (this.#heldSamples > 0 || lateSamples > mostSamples) this.#hold(nowMs, samples, sinceLastSamples);
    else this.#place(samples, lateSamples);
  }

  /** Reserves `count` samples at the next position and returns it; undefined while waiting for a stall. */
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

  /** Places held audio; nothing may follow. */
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
    // All missing audio has arrived.
    if (this.#next + this.#heldSamples >= this.positionAt(nowMs) - LATE_SAMPLES) this.#release();
  }

  /** Held audio ends where the clock was at its last arrival; what is missing before it becomes silence. */
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
