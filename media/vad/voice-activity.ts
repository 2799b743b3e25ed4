import { FRAME_MS } from "../pcm.ts";

/** A voice began or stopped; `atMs` is when it really did, on the stream's own sample clock. */
export type VoiceChange =
  | { readonly type: "started"; readonly atMs: number }
  | { readonly type: "ended"; readonly atMs: number };

export interface VoiceActivityOptions {
  /** Voice needed inside the onset window before it counts. */
  readonly onsetMs?: number;
  /** Time without voice after which it is over. */
  readonly hangoverMs?: number;
  /** How long the detector goes on after a voice (`Vad.overhangMs`); taken off the end of each voice. */
  readonly detectorOverhangMs?: number;
}

/** Frames without voice that an onset may contain: a plosive has gaps, a click has nothing else. */
const ONSET_SLACK_FRAMES = 2;
const DEFAULT_ONSET_MS = 60;
const DEFAULT_HANGOVER_MS = 200;
/** WebRTC's detector at the two higher levels of aggressiveness. */
const DEFAULT_DETECTOR_OVERHANG_MS = 100;

/**
 * Turns the detector's verdict on each 20 ms frame into voices with a beginning and an end. It counts
 * frames, so its clock is the stream's: frames must be pushed for silence and lost audio too.
 */
export class VoiceActivity {
  readonly #onsetFrames: number;
  readonly #hangoverFrames: number;
  readonly #overhangFrames: number;
  /** Frame numbers of the last voiced frames, a ring of the onset's length. */
  readonly #recentVoiced: Float64Array;
  #voicedCount = 0;
  #frames = 0;
  #lastVoiceFrame = -1;
  #startFrame: number | undefined;

  constructor(options: VoiceActivityOptions = {}) {
    this.#onsetFrames = toFrames(options.onsetMs ?? DEFAULT_ONSET_MS);
    this.#hangoverFrames = toFrames(options.hangoverMs ?? DEFAULT_HANGOVER_MS);
    this.#overhangFrames = Math.round(
      (options.detectorOverhangMs ?? DEFAULT_DETECTOR_OVERHANG_MS) / FRAME_MS,
    );
    this.#recentVoiced = new Float64Array(this.#onsetFrames);
  }

  /** Takes the verdict on the next frame; tells when it makes a voice begin or end. */
  push(isVoice: boolean): VoiceChange | undefined {
    const frame = this.#frames++;
    if (isVoice) {
      this.#lastVoiceFrame = frame;
      this.#recentVoiced[this.#voicedCount++ % this.#onsetFrames] = frame;
    }
    return this.#startFrame === undefined ? this.#begin(isVoice) : this.#end(this.#startFrame);
  }

  /** End of the last frame pushed. */
  get nowMs(): number {
    return this.#frames * FRAME_MS;
  }

  get isActive(): boolean {
    return this.#startFrame !== undefined;
  }

  /**
   * From the onset of the current voice to its last voiced frame; 0 while there is none. Once the voice
   * is over it is too long by the detector's overhang, which nobody can know while it lasts.
   */
  get voiceMs(): number {
    if (this.#startFrame === undefined) return 0;
    return (this.#lastVoiceFrame + 1 - this.#startFrame) * FRAME_MS;
  }

  #begin(isVoice: boolean): VoiceChange | undefined {
    if (!isVoice || this.#voicedCount < this.#onsetFrames) return undefined;
    const oldest = this.#recentVoiced[this.#voicedCount % this.#onsetFrames] as number;
    if (this.#lastVoiceFrame - oldest >= this.#onsetFrames + ONSET_SLACK_FRAMES) return undefined;
    this.#startFrame = oldest;
    return { type: "started", atMs: oldest * FRAME_MS };
  }

  #end(startFrame: number): VoiceChange | undefined {
    const silentFrames = this.#frames - 1 - this.#lastVoiceFrame;
    if (silentFrames < this.#hangoverFrames) return undefined;
    this.#startFrame = undefined;
    this.#voicedCount = 0;
    // Frames that made the onset count as voice in any case: an overhang needs a voice before it.
    const firstPossibleEnd = startFrame + this.#onsetFrames;
    const endFrame = Math.max(firstPossibleEnd, this.#lastVoiceFrame + 1 - this.#overhangFrames);
    return { type: "ended", atMs: endFrame * FRAME_MS };
  }
}

function toFrames(ms: number): number {
  return Math.max(1, Math.ceil(ms / FRAME_MS));
}
