import { msToSamples } from "../pcm.ts";

/** Longest utterance kept; beyond this, the oldest audio is dropped. */
const MAX_UTTERANCE_SAMPLES = msToSamples(60_000);

/** Collects the audio of one utterance for recognizers that want it whole. */
export class UtteranceBuffer {
  #frames: Int16Array[] = [];
  #samples = 0;

  /** Copies the frame. */
  push(frame: Int16Array): void {
    this.#frames.push(frame.slice());
    this.#samples += frame.length;
    while (this.#samples > MAX_UTTERANCE_SAMPLES) this.#samples -= this.#frames.shift()?.length ?? 0;
  }

  /** Returns the utterance in one piece and empties the buffer. */
  take(): Int16Array {
    const whole = new Int16Array(this.#samples);
    let at = 0;
    for (const frame of this.#frames) {
      whole.set(frame, at);
      at += frame.length;
    }
    this.#frames = [];
    this.#samples = 0;
    return whole;
  }
}
