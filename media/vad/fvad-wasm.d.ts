/** The part of the Emscripten module that `webrtc-vad.ts` uses; the package ships no types. */
declare module "@echogarden/fvad-wasm" {
  export interface FvadModule {
    /** Replaced whenever the heap grows: read this property again each time. */
    readonly HEAP16: Int16Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _fvad_new(): number;
    _fvad_free(detector: number): void;
    _fvad_set_mode(detector: number, mode: number): number;
    _fvad_set_sample_rate(detector: number, rateHz: number): number;
    /** 1 voice, 0 none, -1 for a frame that is not 10, 20 or 30 ms. */
    _fvad_process(detector: number, frame: number, samples: number): number;
  }
  export default function loadFvad(): Promise<FvadModule>;
}
