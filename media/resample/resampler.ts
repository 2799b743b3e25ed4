import loadSpeexResampler, { type SpeexResamplerModule } from "@echogarden/speex-resampler-wasm/simd";

/** Speex quality, 0 to 10. 4 is flat to 85 % of the band, adds noise at -85 dB, costs 4 ms at 8 kHz; see the test. */
const QUALITY = 4;
/** Samples per call into WASM; longer input is split into blocks. */
const BLOCK_SAMPLES = 2048;
const COUNTERS_BYTES = 8;

/** Converts a stream of mono PCM from one rate to another. */
export interface Resampler {
  /**
   * Returns the converted samples, delayed by the filter (4 ms at 8 kHz, 2 ms from 16 kHz up). Chunks may have any
   * length; how the stream is cut changes nothing. The result is a view that is valid until the next call.
   */
  process(input: Int16Array): Int16Array;
  /** Forgets the stream so far. */
  reset(): void;
  /** Frees the WASM memory; the resampler must not be used afterwards. */
  free(): void;
}

let loading: Promise<SpeexResamplerModule> | undefined;

/** Opens a resampler. All resamplers share one WASM module, which the first call loads. */
export async function createResampler(fromHz: number, toHz: number): Promise<Resampler> {
  if (fromHz === toHz) return { process: (input) => input, reset: () => undefined, free: () => undefined };
  loading ??= loadSpeexResampler();
  return new SpeexResampler(await loading, fromHz, toHz);
}

class SpeexResampler implements Resampler {
  readonly #wasm: SpeexResamplerModule;
  readonly #state: number;
  readonly #memory: number;
  readonly #input: number;
  readonly #output: number;
  readonly #maxBlockOutput: number;
  readonly #ratio: number;
  #result = new Int16Array(0);
  #isFreed = false;

  constructor(wasm: SpeexResamplerModule, fromHz: number, toHz: number) {
    this.#wasm = wasm;
    this.#ratio = toHz / fromHz;
    this.#maxBlockOutput = Math.ceil(BLOCK_SAMPLES * this.#ratio) + 1;
    this.#memory = wasm._malloc(COUNTERS_BYTES + (BLOCK_SAMPLES + this.#maxBlockOutput) * 2);
    this.#input = this.#memory + COUNTERS_BYTES;
    this.#output = this.#input + BLOCK_SAMPLES * 2;
    this.#state = wasm._speex_resampler_init(1, fromHz, toHz, QUALITY, this.#memory);
    if (this.#state === 0) {
      wasm._free(this.#memory);
      throw new RangeError(`cannot resample ${fromHz} Hz to ${toHz} Hz`);
    }
  }

  process(input: Int16Array): Int16Array {
    if (this.#isFreed) throw new Error("the resampler was freed");
    const capacity = Math.ceil(input.length * this.#ratio) + 1;
    if (this.#result.length < capacity) this.#result = new Int16Array(capacity);
    let produced = 0;
    for (let from = 0; from < input.length; from += BLOCK_SAMPLES) {
      produced += this.#processBlock(input, from, produced);
    }
    return this.#result.subarray(0, produced);
  }

  reset(): void {
    this.#wasm._speex_resampler_reset_mem(this.#state);
  }

  free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#wasm._speex_resampler_destroy(this.#state);
    this.#wasm._free(this.#memory);
  }

  #processBlock(input: Int16Array, from: number, at: number): number {
    const wasm = this.#wasm;
    const count = Math.min(BLOCK_SAMPLES, input.length - from);
    const inputIndex = this.#input >> 1;
    const isWhole = count === input.length;
    wasm.HEAP16.set(isWhole ? input : input.subarray(from, from + count), inputIndex);
    const counters = this.#memory >> 2;
    wasm.HEAP32[counters] = count;
    wasm.HEAP32[counters + 1] = this.#maxBlockOutput;
    wasm._speex_resampler_process_int(
      this.#state,
      0,
      this.#input,
      this.#memory,
      this.#output,
      this.#memory + 4,
    );
    const produced = wasm.HEAP32[counters + 1] as number;
    const outputIndex = this.#output >> 1;
    this.#result.set(wasm.HEAP16.subarray(outputIndex, outputIndex + produced), at);
    return produced;
  }
}
