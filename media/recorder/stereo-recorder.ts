import { msToSamples } from "../pcm.ts";
import { SampleRing } from "./sample-ring.ts";

/** What the recorder needs of a `WavWriter`. */
export interface RecordingWriter {
  /** Interleaved left and right; the array is reused after the call. */
  write(samples: Int16Array): void;
  finish(): void;
}

export interface StereoRecorderOptions {
  readonly writer: RecordingWriter;
  /** How far behind the clock a write may still come, and how far ahead of it. */
  readonly windowMs?: number;
}

const DEFAULT_WINDOW_MS = 3000;
/** Samples per side handed to the writer at once: a quarter of a second keeps writes few. */
const BLOCK_SAMPLES = msToSamples(250);

/**
 * Records a call in stereo, the caller left and the agent right, both by position on the call's sample
 * clock, never by arrival. The last `windowMs` stay in memory, where a burst can still be put in its
 * place and what the agent was going to say can be taken back.
 */
export class StereoRecorder {
  readonly #writer: RecordingWriter;
  readonly #windowSamples: number;
  readonly #caller: SampleRing;
  readonly #agent: SampleRing;
  readonly #block = new Int16Array(2 * BLOCK_SAMPLES);
  #droppedSamples = 0;
  #isFinished = false;

  constructor(options: StereoRecorderOptions) {
    this.#writer = options.writer;
    this.#windowSamples = msToSamples(options.windowMs ?? DEFAULT_WINDOW_MS);
    const capacity = 2 * this.#windowSamples + BLOCK_SAMPLES;
    this.#caller = new SampleRing(capacity);
    this.#agent = new SampleRing(capacity);
  }

  /** Samples that came too late, or too far ahead, to be recorded. */
  get droppedSamples(): number {
    return this.#droppedSamples;
  }

  writeCaller(at: number, samples: Int16Array): void {
    this.#droppedSamples += this.#caller.write(at, samples);
  }

  writeAgent(at: number, samples: Int16Array): void {
    this.#droppedSamples += this.#agent.write(at, samples);
  }

  /** Takes back what the agent would have said from `at` on: the caller interrupted and never heard it. */
  eraseAgentFrom(at: number): void {
    this.#agent.eraseFrom(at);
  }

  /** Hands everything older than the window to the writer, in whole blocks. Call it as the clock goes. */
  advance(nowSample: number): void {
    while (this.#caller.start + BLOCK_SAMPLES <= nowSample - this.#windowSamples) this.#commit(BLOCK_SAMPLES);
  }

  /** Hands over the rest: the recording then is `atSample` long, to the sample. Later calls do nothing. */
  finish(atSample: number): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    while (this.#caller.start < atSample)
      this.#commit(Math.min(BLOCK_SAMPLES, atSample - this.#caller.start));
    this.#writer.finish();
  }

  #commit(count: number): void {
    this.#caller.takeInterleaved(count, this.#block, 0);
    this.#agent.takeInterleaved(count, this.#block, 1);
    this.#writer.write(count === BLOCK_SAMPLES ? this.#block : this.#block.subarray(0, 2 * count));
  }
}
