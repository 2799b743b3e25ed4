import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";

/** How the microphone picks up the agent's voice out of the caller's loudspeaker. */
export interface Echo {
  readonly db: number;
  readonly delayMs: number;
  /** A loudspeaker that is too loud for itself: peaks are cut at this share of the answer's own. */
  readonly clipsAt?: number;
  /** The loudspeaker is switched on in mid-call. */
  readonly fromMs?: number;
  /** The caller's device moves the sound to another loudspeaker in mid-call. */
  readonly moves?: { readonly atMs: number; readonly delayMs: number };
}

const PEAK = 32_767;
const NOTHING = new Int16Array(FRAME_SAMPLES);

/** The way from the loudspeaker to the microphone, in frames of 20 ms since the call's beginning. */
export class EchoPath {
  readonly #echo: Echo;
  readonly #played: Int16Array[] = [];

  constructor(echo: Echo) {
    this.#echo = echo;
  }

  /** The loudspeaker plays a frame; returns what the microphone picks up meanwhile, if anything can come yet. */
  push(samples: Int16Array): Float32Array | undefined {
    const frame = this.#played.push(samples) - 1;
    const from = frame - this.delayFrames(frame);
    if (from < 0 || !this.isOn(frame)) return undefined;
    const { db, clipsAt = 1 } = this.#echo;
    const gain = 10 ** (db / 20);
    const most = clipsAt * PEAK;
    return Float32Array.from(
      this.#played[from] ?? NOTHING,
      (sample) => (gain * Math.max(-most, Math.min(most, sample))) / clipsAt,
    );
  }

  isOn(frame: number): boolean {
    return frame * FRAME_MS >= (this.#echo.fromMs ?? 0);
  }

  delayFrames(frame: number): number {
    const { delayMs, moves } = this.#echo;
    const nowMs = moves && frame * FRAME_MS >= moves.atMs ? moves.delayMs : delayMs;
    return Math.round(nowMs / FRAME_MS);
  }
}
