/** The part of the Emscripten module that `denoiser.ts` uses; the package ships no types. */
declare module "@echogarden/rnnoise-wasm" {
  export interface RnnoiseModule {
    /** Replaced whenever the heap grows: read this property again each time. */
    readonly HEAPF32: Float32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    /** `model` 0 is the compiled-in model. */
    _rnnoise_create(model: number): number;
    _rnnoise_destroy(state: number): void;
    /** Processes 480 samples of 48 kHz at 16-bit scale. Returns the probability of voice. */
    _rnnoise_process_frame(state: number, output: number, input: number): number;
  }
  export default function loadRnnoise(): Promise<RnnoiseModule>;
}
