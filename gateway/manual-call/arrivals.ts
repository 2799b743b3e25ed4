import { samplesToMs } from "@parley/media/pcm.ts";
import type { ArrivalFigures } from "@parley/shared/contracts/call-socket.ts";
import { JitterBuffer } from "./jitter-buffer.ts";

/** After a longer pause, the next message says nothing about the network path. */
const MAX_PAUSE_MS = 500;
/** Gain of the jitter estimate (RFC 3550, 6.4.1). */
const GAIN = 1 / 16;

/** Evens out the audio arriving from one end for the other, and measures how it arrived. */
export class Arrivals {
  readonly #buffer = new JitterBuffer();
  readonly #now: () => number;
  #last: { readonly atMs: number; readonly durationMs: number } | undefined;
  #jitterMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes audio of any length; `samples` may be reused afterwards. */
  push(samples: Int16Array): void {
    const atMs = this.#now();
    if (this.#last && atMs - this.#last.atMs <= MAX_PAUSE_MS) {
      const deviationMs = Math.abs(atMs - this.#last.atMs - this.#last.durationMs);
      this.#jitterMs += (deviationMs - this.#jitterMs) * GAIN;
    }
    this.#last = { atMs, durationMs: samplesToMs(samples.length) };
    this.#buffer.push(samples);
  }

  /** Returns the next frame as a new array, or undefined if there is none. Called every 20 ms. */
  next(): Int16Array | undefined {
    return this.#buffer.next();
  }

  /** Figures since the previous call of this method. */
  figures(): ArrivalFigures {
    const jitterMs = Math.round(this.#jitterMs * 10) / 10;
    return { jitterMs, bufferedMs: this.#buffer.bufferedMs, ...this.#buffer.takeCounts() };
  }
}
