import { SampleQueue } from "../pacer/sample-queue.ts";
import { FRAME_SAMPLES, PCM_RATE_HZ } from "../pcm.ts";
import { createResampler, type Resampler } from "../resample/resampler.ts";
import type { WavAudio } from "./wav-reader.ts";

const FRAMES_PER_SEC = 50;

export async function createPlayback(wav: WavAudio): Promise<Playback> {
  return new Playback(wav, await createResampler(wav.sampleRateHz, PCM_RATE_HZ));
}

/** Plays a file frame by frame, mixing it down and resampling on the way. */
export class Playback {
  readonly #wav: WavAudio;
  readonly #resampler: Resampler;
  readonly #ready = new SampleQueue();
  /** Position in samples of one channel. */
  #at = 0;
  #isFreed = false;

  /** `resampler` converts from the file's rate to 16 kHz; the playback takes ownership of it. */
  constructor(wav: WavAudio, resampler: Resampler) {
    this.#wav = wav;
    this.#resampler = resampler;
  }

  get durationMs(): number {
    return Math.round((this.#length * 1_000) / this.#wav.sampleRateHz);
  }

  /** Returns the next 20 ms as a new array; undefined at the end. */
  next(): Int16Array | undefined {
    if (this.#isFreed) return undefined;
    while (this.#ready.length < FRAME_SAMPLES && this.#at < this.#length)
      this.#ready.push(this.#resampler.process(this.#nextPart()).slice());
    if (this.#ready.length === 0) {
      this.stop();
      return undefined;
    }
    const frame = new Int16Array(FRAME_SAMPLES);
    this.#ready.take(frame);
    return frame;
  }

  stop(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#resampler.free();
  }

  get #length(): number {
    return this.#wav.samples.length / this.#wav.channels;
  }

  #nextPart(): Int16Array {
    const { samples, channels, sampleRateHz } = this.#wav;
    const end = Math.min(this.#at + Math.ceil(sampleRateHz / FRAMES_PER_SEC), this.#length);
    const part = new Int16Array(end - this.#at);
    for (let i = 0; i < part.length; i++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++)
        sum += samples[(this.#at + i) * channels + channel] ?? 0;
      part[i] = Math.round(sum / channels);
    }
    this.#at = end;
    return part;
  }
}
