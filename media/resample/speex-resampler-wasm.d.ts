/** The part of the Emscripten module that `resampler.ts` uses; the package ships no types. */
declare module "@echogarden/speex-resampler-wasm/simd" {
  export interface SpeexResamplerModule {
    /** Replaced whenever the heap grows: read this property again each time. */
    readonly HEAP16: Int16Array;
    readonly HEAP32: Int32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _speex_resampler_init(
      channels: number,
      fromHz: number,
      toHz: number,
      quality: number,
      errorPointer: number,
    ): number;
    _speex_resampler_process_int(
      state: number,
      channel: number,
      input: number,
      inputCountPointer: number,
      output: number,
      outputCountPointer: number,
    ): number;
    _speex_resampler_reset_mem(state: number): number;
    _speex_resampler_destroy(state: number): void;
  }
  export default function loadSpeexResampler(): Promise<SpeexResamplerModule>;
}
