import { Downsampler } from "./downsampler.ts";

/** One message of caller audio. */
export interface MicrophoneFrame {
  /** 20 ms of s16le mono at the rate of the call. */
  readonly samples: Int16Array<ArrayBuffer>;
  /** Root mean square from 0 to 1. */
  readonly level: number;
}

/** Duration of one audio message (the call socket accepts 10 to 100 ms). */
const MESSAGE_MS = 20;

/** Cuts a microphone's blocks into 20 ms messages at the call's rate. */
export class MicrophoneFramer {
  readonly #downsampler: Downsampler;
  readonly #frameSamples: number;
  #frame: Int16Array<ArrayBuffer>;
  #filled = 0;
  #squares = 0;

  constructor(fromHz: number, toHz: number) {
    this.#downsampler = new Downsampler(fromHz, toHz);
    this.#frameSamples = (toHz * MESSAGE_MS) / 1000;
    this.#frame = new Int16Array(this.#frameSamples);
  }

  /** @returns the messages this block completes, oldest first */
  push(block: Float32Array): MicrophoneFrame[] {
    const done: MicrophoneFrame[] = [];
    for (const sample of this.#downsampler.process(block)) {
      const clipped = Math.max(-1, Math.min(1, sample));
      this.#frame[this.#filled] = Math.round(clipped * 32_767);
      this.#squares += clipped * clipped;
      this.#filled += 1;
      if (this.#filled === this.#frameSamples) done.push(this.#finish());
    }
    return done;
  }

  #finish(): MicrophoneFrame {
    const frame = { samples: this.#frame, level: Math.sqrt(this.#squares / this.#frameSamples) };
    this.#frame = new Int16Array(this.#frameSamples);
    this.#filled = 0;
    this.#squares = 0;
    return frame;
  }
}
