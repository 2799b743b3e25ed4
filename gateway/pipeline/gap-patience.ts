import { samplesToMs } from "@parley/media/pcm.ts";

/** Audio that stops arriving for this long counts as silence, since a muted app sends nothing at all. */
const USUAL_MS = 600;
/** Upper bound of the patience on a line that was seen to stall for longer. */
const MOST_MS = 1_500;
const AFTER_A_STALL = 1.5;
/** A pause in arrival that is worth checking for a stall. */
const PAUSE_MS = 100;
/** On a line that stalls, nothing is decided from this length of a pause on. */
const HELD_UP_MS = 50;
/** Audio held back by a stall, at least half of it, arrives within this time after the stall. */
const CATCH_UP_MS = 100;

/** Learns how long a line's audio may stay away before that means silence: stalls and muted apps look alike. */
export class GapPatience {
  #patienceMs = USUAL_MS;
  #hasStalled = false;
  #lastMs: number | undefined;
  #pause: { readonly ms: number; readonly endedAtMs: number; samples: number } | undefined;

  get ms(): number {
    return this.#patienceMs;
  }

  /** True while audio missing for `gapMs` is probably only delayed, because this line has stalled before. */
  holds(gapMs: number): boolean {
    return this.#hasStalled && gapMs > HELD_UP_MS && gapMs < this.#patienceMs;
  }

  /** Notes that `samples` samples arrived at `nowMs`. */
  arrived(nowMs: number, samples: number): void {
    const pauseMs = nowMs - (this.#lastMs ?? nowMs);
    this.#lastMs = nowMs;
    if (pauseMs > PAUSE_MS) this.#pause = { ms: pauseMs, endedAtMs: nowMs, samples: 0 };
    const pause = this.#pause;
    if (!pause) return;
    if (nowMs - pause.endedAtMs > CATCH_UP_MS) {
      this.#pause = undefined;
      return;
    }
    pause.samples += samples;
    if (samplesToMs(pause.samples) < pause.ms / 2) return;
    this.#hasStalled = true;
    this.#patienceMs = Math.min(MOST_MS, Math.max(this.#patienceMs, pause.ms * AFTER_A_STALL));
    this.#pause = undefined;
  }
}
