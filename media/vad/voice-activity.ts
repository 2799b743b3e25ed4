import { FRAME_MS } from "../pcm.ts";

/** A voice began or stopped; `atMs` is the true time, on the stream's own sample clock. */
export type VoiceChange =
  | { readonly type: "started"; readonly atMs: number }
  | { readonly type: "ended"; readonly atMs: number };

export interface VoiceActivityOptions {
  /** Voice required inside the onset window before a voice counts. */
  readonly onsetMs?: number;
  /** Time without voice after which a voice is over. */
  readonly hangoverMs?: number;
  /** How long the detector outlasts a voice (`Vad.overhangMs`); subtracted from the end of each voice. */
  readonly detectorOverhangMs?: number;
}

/** Voiceless frames that an onset may contain: a plosive has gaps, a click has nothing else. */
const ONSET_SLACK_FRAMES = 2;
const DEFAULT_ONSET_MS = 60;
const DEFAULT_HANGOVER_MS = 200;
/** The overhang of WebRTC's detector at the two higher levels of aggressiveness. */
const DEFAULT_DETECTOR_OVERHANG_MS = 100;
/** How late the voice model hears a voice begin and end: medians of clean speech. */
const MODEL_LATE_FRAMES = { start: 2, end: 3 } as const;
/** Gaps of up to this many frames do not end a stretch of the detector's voice. */
const EDGE_GAP_FRAMES = 5;
/** How long the voice model may take to agree with WebRTC's detector that a voice begins. */
const STIRRING_FRAMES = 5;
/** How far the detector's edge may be from the model's to belong to the same voice. */
const SAME_EDGE_FRAMES = { before: 15, after: 2, end: 5 } as const;

/**
 * Turns the verdict on each 20 ms frame into voices with a beginning and an end. Time is counted in frames, so frames
 * must also be pushed for silence and lost audio. If a voice model decides, WebRTC's detector still supplies the times:
 * it is exact to the frame while it hears the voice alone, and is not consulted while it hears a noise go on.
 */
export class VoiceActivity {
  readonly #onsetFrames: number;
  readonly #hangoverFrames: number;
  readonly #overhangFrames: number;
  /** Numbers of the last voiced frames, in a ring of the onset's length. */
  readonly #recentVoiced: Float64Array;
  #voicedCount = 0;
  #frames = 0;
  #lastVoiceFrame = -1;
  #startFrame: number | undefined;
  /** First and last frame of WebRTC's own stretch of voice. */
  #edgeStart = Number.NEGATIVE_INFINITY;
  #edgeEnd = Number.NEGATIVE_INFINITY;
  /** True if the last voiced frame was the model's verdict rather than WebRTC's. */
  #isModels = false;

  constructor(options: VoiceActivityOptions = {}) {
    this.#onsetFrames = toFrames(options.onsetMs ?? DEFAULT_ONSET_MS);
    this.#hangoverFrames = toFrames(options.hangoverMs ?? DEFAULT_HANGOVER_MS);
    this.#overhangFrames = Math.round(
      (options.detectorOverhangMs ?? DEFAULT_DETECTOR_OVERHANG_MS) / FRAME_MS,
    );
    this.#recentVoiced = new Float64Array(this.#onsetFrames);
  }

  /**
   * Takes the verdict on the next frame. Returns the change if it makes a voice begin or end. If the verdict is a
   * model's, `detected` is that of WebRTC's detector.
   */
  push(isVoice: boolean, detected?: boolean): VoiceChange | undefined {
    const frame = this.#frames++;
    if (detected ?? isVoice) {
      if (frame - this.#edgeEnd > EDGE_GAP_FRAMES + 1) this.#edgeStart = frame;
      this.#edgeEnd = frame;
    }
    if (isVoice) {
      this.#isModels = detected !== undefined;
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

  /** True while a voice may be beginning; lasts at most `STIRRING_FRAMES` unless a voice does begin. */
  get isStirring(): boolean {
    if (this.#startFrame !== undefined || this.#frames === 0) return false;
    const last = this.#frames - 1;
    if (this.#lastVoiceFrame === last) return true;
    return this.#edgeEnd === last && last - this.#edgeStart < STIRRING_FRAMES;
  }

  /**
   * Time from the onset of the current voice to its last voiced frame; 0 if there is none. At a voice's end this is too
   * long by the detector's overhang, which cannot be known earlier.
   */
  get voiceMs(): number {
    if (this.#startFrame === undefined) return 0;
    return (this.#lastVoiceFrame + 1 - this.#startFrame) * FRAME_MS;
  }

  #begin(isVoice: boolean): VoiceChange | undefined {
    if (!isVoice || this.#voicedCount < this.#onsetFrames) return undefined;
    const oldest = this.#recentVoiced[this.#voicedCount % this.#onsetFrames] as number;
    if (this.#lastVoiceFrame - oldest >= this.#onsetFrames + ONSET_SLACK_FRAMES) return undefined;
    this.#startFrame = this.#isModels ? this.#modelStart(oldest) : oldest;
    return { type: "started", atMs: this.#startFrame * FRAME_MS };
  }

  #end(startFrame: number): VoiceChange | undefined {
    const silentFrames = this.#frames - 1 - this.#lastVoiceFrame;
    if (silentFrames < this.#hangoverFrames) return undefined;
    this.#startFrame = undefined;
    this.#voicedCount = 0;
    // Frames that made up the onset always count as voice: an overhang requires a voice before it.
    const firstPossibleEnd = startFrame + this.#onsetFrames;
    const end = this.#isModels ? this.#modelEnd() : this.#lastVoiceFrame + 1 - this.#overhangFrames;
    return { type: "ended", atMs: Math.max(firstPossibleEnd, end) * FRAME_MS };
  }

  #modelStart(frame: number): number {
    const { before, after } = SAME_EDGE_FRAMES;
    const isSame = this.#edgeStart >= frame - before && this.#edgeStart <= frame + after;
    return isSame ? this.#edgeStart : Math.max(0, frame - MODEL_LATE_FRAMES.start);
  }

  #modelEnd(): number {
    const byModel = this.#lastVoiceFrame + 1 - MODEL_LATE_FRAMES.end;
    const byDetector = this.#edgeEnd + 1 - this.#overhangFrames;
    return Math.abs(byModel - byDetector) <= SAME_EDGE_FRAMES.end ? byDetector : byModel;
  }
}

function toFrames(ms: number): number {
  return Math.max(1, Math.ceil(ms / FRAME_MS));
}
