import loadFvad, { type FvadModule } from "@echogarden/fvad-wasm";
import { FRAME_SAMPLES, PCM_RATE_HZ } from "../pcm.ts";

/** 0 takes most sounds for voice, 3 only certain voice (libfvad `fvad_set_mode`). */
export type VadAggressiveness = 0 | 1 | 2 | 3;

/** WebRTC's voice detector for one stream of 20 ms frames at 16 kHz. Remembers earlier frames. */
export interface Vad {
  /** How long the detector keeps reporting voice after its end; `VoiceActivity` subtracts this. */
  readonly overhangMs: number;
  isVoice(frame: Int16Array): boolean;
  /** Frees the WASM memory; the detector must not be used afterwards. */
  free(): void;
}

/** `kOverHangMax2` of libfvad for 20 ms frames, by aggressiveness: 7 or 5 frames. */
const OVERHANG_MS = [140, 140, 100, 100] as const;
/** Until the detector has learned a noise, it takes the first frames of it for voice. */
const WARM_UP_FRAMES = 5;

let loading: Promise<FvadModule> | undefined;

/** Opens a detector. All detectors share one WASM module, which the first call loads. */
export async function createVad(aggressiveness: VadAggressiveness): Promise<Vad> {
  loading ??= loadFvad();
  return new WebrtcVad(await loading, aggressiveness);
}

class WebrtcVad implements Vad {
  readonly overhangMs: number;
  readonly #wasm: FvadModule;
  readonly #detector: number;
  readonly #frame: number;
  #warmUpFrames = WARM_UP_FRAMES;
  #isFreed = false;

  constructor(wasm: FvadModule, aggressiveness: VadAggressiveness) {
    this.overhangMs = OVERHANG_MS[aggressiveness];
    this.#wasm = wasm;
    this.#detector = wasm._fvad_new();
    this.#frame = wasm._malloc(FRAME_SAMPLES * 2);
    wasm._fvad_set_mode(this.#detector, aggressiveness);
    wasm._fvad_set_sample_rate(this.#detector, PCM_RATE_HZ);
  }

  isVoice(frame: Int16Array): boolean {
    if (this.#isFreed) throw new Error("the voice detector was freed");
    if (frame.length !== FRAME_SAMPLES) {
      throw new RangeError(`a frame has ${FRAME_SAMPLES} samples, not ${frame.length}`);
    }
    this.#wasm.HEAP16.set(frame, this.#frame >> 1);
    const isVoice = this.#wasm._fvad_process(this.#detector, this.#frame, FRAME_SAMPLES) === 1;
    if (this.#warmUpFrames === 0) return isVoice;
    this.#warmUpFrames--;
    return false;
  }

  free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#wasm._fvad_free(this.#detector);
    this.#wasm._free(this.#frame);
  }
}
