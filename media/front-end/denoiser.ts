import loadRnnoise, { type RnnoiseModule } from "@echogarden/rnnoise-wasm";
import { PCM_RATE_HZ } from "../pcm.ts";
import { createResampler, type Resampler } from "../resample/resampler.ts";

/** Delay of 14 ms: 10 ms for RNNoise's overlapping windows and 2 ms for each resampler. */
export const DENOISER_DELAY_SAMPLES = 224;

/** Denoises one stream of 16 kHz PCM. Remembers earlier frames. */
export interface Denoiser {
  /**
   * Returns the denoised stream, as long as the input and `DENOISER_DELAY_SAMPLES` behind it. `frame` is a multiple of
   * 10 ms; the result is a view that is valid until the next call.
   */
  process(frame: Int16Array): Int16Array;
  /** Frees the WASM memory; the denoiser must not be used afterwards. */
  free(): void;
}

const RNNOISE_RATE_HZ = 48_000;
/** RNNoise's only frame length: 10 ms. */
const RNNOISE_SAMPLES = RNNOISE_RATE_HZ / 100;

let loading: Promise<RnnoiseModule> | undefined;

/** Opens a denoiser. All denoisers share one WASM module, which the first call loads. */
export async function createDenoiser(): Promise<Denoiser> {
  loading ??= loadRnnoise();
  const up = await createResampler(PCM_RATE_HZ, RNNOISE_RATE_HZ);
  const down = await createResampler(RNNOISE_RATE_HZ, PCM_RATE_HZ);
  return new RnnoiseDenoiser(await loading, up, down);
}

class RnnoiseDenoiser implements Denoiser {
  readonly #wasm: RnnoiseModule;
  readonly #up: Resampler;
  readonly #down: Resampler;
  readonly #state: number;
  readonly #memory: number;
  #wide = new Int16Array(0);
  #isFreed = false;

  constructor(wasm: RnnoiseModule, up: Resampler, down: Resampler) {
    this.#wasm = wasm;
    this.#up = up;
    this.#down = down;
    this.#state = wasm._rnnoise_create(0);
    this.#memory = wasm._malloc(RNNOISE_SAMPLES * Float32Array.BYTES_PER_ELEMENT);
  }

  process(frame: Int16Array): Int16Array {
    if (this.#isFreed) throw new Error("the denoiser was freed");
    const wide = this.#up.process(frame);
    if (this.#wide.length !== wide.length) this.#wide = new Int16Array(wide.length);
    for (let at = 0; at + RNNOISE_SAMPLES <= wide.length; at += RNNOISE_SAMPLES) this.#suppress(wide, at);
    return this.#down.process(this.#wide);
  }

  free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#wasm._rnnoise_destroy(this.#state);
    this.#wasm._free(this.#memory);
    this.#up.free();
    this.#down.free();
  }

  #suppress(wide: Int16Array, at: number): void {
    const index = this.#memory >> 2;
    // RNNoise works at 16-bit scale rather than from -1 to 1.
    this.#wasm.HEAPF32.set(wide.subarray(at, at + RNNOISE_SAMPLES), index);
    this.#wasm._rnnoise_process_frame(this.#state, this.#memory, this.#memory);
    const clean = this.#wasm.HEAPF32;
    for (let i = 0; i < RNNOISE_SAMPLES; i++) {
      this.#wide[at + i] = Math.max(-32_768, Math.min(32_767, Math.round(clean[index + i] as number)));
    }
  }
}
