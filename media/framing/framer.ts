/** Cuts a stream of samples in chunks of any length into frames of one length. */
export class Framer {
  readonly #frame: Int16Array;
  #filled = 0;

  constructor(frameSamples: number) {
    this.#frame = new Int16Array(frameSamples);
  }

  /** Calls `onFrame` for every frame that is complete. The frame is reused: copy what is kept. */
  push(samples: Int16Array, onFrame: (frame: Int16Array) => void): void {
    for (let i = 0; i < samples.length; i++) {
      this.#frame[this.#filled++] = samples[i] as number;
      if (this.#filled === this.#frame.length) {
        this.#filled = 0;
        onFrame(this.#frame);
      }
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
