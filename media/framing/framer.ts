/** Cuts a stream of samples in chunks of any length into frames of one length. */
export class Framer {
  readonly #frame: Int16Array;
  #filled = 0;

  constructor(frameSamples: number) {
    this.#frame = new Int16Array(frameSamples);
  }

  /** Nothing is left of the last chunk. */
  get isEmpty(): boolean {
    return this.#filled === 0;
  }

  /** Calls `onFrame` for every frame that is complete. The frame is reused: copy what is kept. */
  push(samples: Int16Array, onFrame: (frame: Int16Array) => void): void {
    const frameSamples = this.#frame.length;
    // Most clients send exactly one frame a message: nothing to copy then.
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

  /** Pads what is left with silence to one last frame; nothing left, no frame. */
  flush(onFrame: (frame: Int16Array) => void): void {
    if (this.#filled === 0) return;
    this.#frame.fill(0, this.#filled);
    this.#filled = 0;
    onFrame(this.#frame);
  }

  /** Forgets what is left. */
  reset(): void {
    this.#filled = 0;
  }
}
