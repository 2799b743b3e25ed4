import { samplesToMs } from "@parley/media/pcm.ts";

/** Audio that stops arriving for this long is taken for silence: a muted app sends nothing at all. */
const USUAL_MS = 600;
/** On a line that was seen to stall for longer, silence is believed later, but never later than this. */
const MOST_MS = 1_500;
const AFTER_A_STALL = 1.5;
/** A pause in arrival that is worth a look. */
const PAUSE_MS = 100;
/** On a line that stalls, a pause from which on nothing is decided. */
const HELD_UP_MS = 50;
/** What a stall held back comes within this time after it; at least half of it did. */
const CATCH_UP_MS = 100;

/** Learns from a line how long its audio may stay away before that means silence: a late network and a muted app look alike. */
export class GapPatience {
  #patienceMs = USUAL_MS;
  #hasStalled = false;
  #lastMs: number | undefined;
  #pause: { readonly ms: number; readonly endedAtMs: number; samples: number } | undefined;

  get ms(): number {
    return this.#patienceMs;
  }

  /** True while audio that has stayed away for `gapMs` is likely only held up: this line has stalled before. */
  holds(gapMs: number): boolean {
    return this.#hasStalled && gapMs > HELD_UP_MS && gapMs < this.#patienceMs;
  }

  /** `samples` arrived at `nowMs`. */
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
