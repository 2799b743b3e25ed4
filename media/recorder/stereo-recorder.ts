import { msToSamples } from "../pcm.ts";
import { StereoRing } from "./stereo-ring.ts";

/** The part of a `WavWriter` that the recorder uses. */
export interface RecordingWriter {
  /** Writes interleaved left and right samples; the array is reused after the call. */
  write(samples: Int16Array): void;
  /** Writes `count` samples of silence, counting both channels. */
  writeSilence(count: number): void;
  finish(): void;
}

export interface StereoRecorderOptions {
  readonly writer: RecordingWriter;
  /** How far behind the clock a write may still come. */
  readonly behindMs?: number;
  /** How far ahead of the clock a write may come. */
  readonly aheadMs?: number;
}

const DEFAULT_WINDOW_MS = 3000;
/** Buffer in which blocks are assembled, shared by all recorders because each block is handed on before the next. */
let scratch = new Int32Array(0);

/**
 * Records a call in stereo, the caller left and the agent right, both by position on the call's sample clock and never
 * by arrival. A window around the clock stays in memory, where a burst can still be put in its place and the agent's
 * unplayed speech can be taken back.
 */
export class StereoRecorder {
  readonly #behindSamples: number;
  /** Samples per write: half of the ring, so that each write frees a half. */
  readonly #blockSamples: number;
  readonly #ring: StereoRing;
  readonly #writer: RecordingWriter;
  #droppedSamples = 0;
  #isFinished = false;

  constructor(options: StereoRecorderOptions) {
    const { writer, behindMs = DEFAULT_WINDOW_MS, aheadMs = DEFAULT_WINDOW_MS } = options;
    this.#writer = writer;
    this.#behindSamples = msToSamples(behindMs);
    this.#blockSamples = this.#behindSamples + msToSamples(aheadMs);
    this.#ring = new StereoRing(this.#blockSamples);
  }

  /** Samples that came too late, or too far ahead, to be recorded. */
  get droppedSamples(): number {
    return this.#droppedSamples;
  }

  writeCaller(at: number, samples: Int16Array): void {
    this.#droppedSamples += this.#ring.write("left", at, samples);
  }

  writeAgent(at: number, samples: Int16Array): void {
    this.#droppedSamples += this.#ring.write("right", at, samples);
  }

  /** Removes the agent's audio from `at` on: the caller interrupted and never heard it. */
  eraseAgentFrom(at: number): void {
    this.#ring.eraseFrom("right", at);
  }

  /** Hands everything older than the window to the writer, in whole blocks. Call this as the clock advances. */
  advance(nowSample: number): void {
    while (this.#ring.start + this.#blockSamples <= nowSample - this.#behindSamples) {
      this.#commit(this.#blockSamples);
    }
  }

  /** Hands over the rest, which makes the recording exactly `atSample` samples long. Later calls do nothing. */
  finish(atSample: number): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    while (this.#ring.start < atSample) {
      this.#commit(Math.min(this.#blockSamples, atSample - this.#ring.start));
    }
    this.#writer.finish();
  }

  #commit(samples: number): void {
    if (this.#ring.isSilent(samples)) {
      this.#ring.skip(samples);
      this.#writer.writeSilence(2 * samples);
      return;
    }
    if (scratch.length < samples) scratch = new Int32Array(samples);
    this.#ring.shift(samples, scratch);
    this.#writer.write(new Int16Array(scratch.buffer, 0, 2 * samples));
  }
}
