/** Cuts a stream of samples, in chunks of any length, into frames of one length. */
export class Framer {
  readonly #frame: Int16Array;
  #filled = 0;

  constructor(frameSamples: number) {
    this.#frame = new Int16Array(frameSamples);
  }

  /** True if nothing is left of the last chunk. */
  get isEmpty(): boolean {
    return this.#filled === 0;
  }

  /** Calls `onFrame` for every complete frame. The frame is reused: copy what you keep. */
  push(samples: Int16Array, onFrame: (frame: Int16Array) => void): void {
    const frameSamples = this.#frame.length;
    // Most clients send exactly one frame per message, which needs no copy.
    if (this.#filled === 0 && samples.length === frameSamples) {
      onFrame(samples);
      return;
    }
    for (let at = 0; at < samples.length; ) {
      const count = Math.min(samples.length - at, frameSamples - this.#filled);
      this.#frame.set(samples.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled < frameSamples) return;
      this.#filled = 0;
      onFrame(this.#frame);
    }
  }

  /** Pads the remainder with silence to a last frame; without a remainder, there is no frame. */
  flush(onFrame: (frame: Int16Array) => void): void {
    if (this.#filled === 0) return;
    this.#frame.fill(0, this.#filled);
    this.#filled = 0;
    onFrame(this.#frame);
  }

  /** Forgets the remainder. */
  reset(): void {
    this.#filled = 0;
  }
}
