import { samplesToMs } from "@parley/media/pcm.ts";
import type { ArrivalFigures } from "@parley/shared/contracts/call-socket.ts";
import { JitterBuffer } from "./jitter-buffer.ts";

/** After a longer pause the next message says nothing of the way it came. */
const MAX_PAUSE_MS = 500;
/** How fast the jitter follows (RFC 3550, 6.4.1). */
const GAIN = 1 / 16;

/** Audio of one end as it arrives: evened out for the other end, and how it came. */
export class Arrivals {
  readonly #buffer = new JitterBuffer();
  readonly #now: () => number;
  #last: { readonly atMs: number; readonly durationMs: number } | undefined;
  #jitterMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Audio of any length; `samples` may be reused afterwards. */
  push(samples: Int16Array): void {
    const atMs = this.#now();
    if (this.#last && atMs - this.#last.atMs <= MAX_PAUSE_MS) {
      const deviationMs = Math.abs(atMs - this.#last.atMs - this.#last.durationMs);
      this.#jitterMs += (deviationMs - this.#jitterMs) * GAIN;
    }
    this.#last = { atMs, durationMs: samplesToMs(samples.length) };
    this.#buffer.push(samples);
  }

  /** The next frame, a new array; undefined while there is none. Called every 20 ms. */
  next(): Int16Array | undefined {
    return this.#buffer.next();
  }

  /** Since it was asked last. */
  figures(): ArrivalFigures {
    const jitterMs = Math.round(this.#jitterMs * 10) / 10;
    return { jitterMs, bufferedMs: this.#buffer.bufferedMs, ...this.#buffer.takeCounts() };
  }
}
