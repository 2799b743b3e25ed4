import type { CallFrontEnd } from "@parley/media/front-end/allotment.ts";
import { Foreground } from "@parley/media/front-end/foreground.ts";
import { RoomNoise } from "@parley/media/front-end/room-noise.ts";
import { type FrontEndResult, TASK } from "@parley/media/front-end/tasks.ts";
import { LOOKBACK_FRAMES } from "@parley/media/front-end/window-count.ts";
import { levelOf } from "@parley/media/level/level-of.ts";
import { FRAME_MS } from "@parley/media/pcm.ts";
import type { Vad } from "@parley/media/vad/webrtc-vad.ts";
import { PreRoll } from "./pre-roll.ts";

/** A judged frame of the caller. Its arrays are valid during the call only. */
export interface HeardFrame {
  readonly isVoice: boolean;
  /** The verdict of WebRTC's detector on frames that a model decided; undefined otherwise. */
  readonly detected: boolean | undefined;
  readonly original: Int16Array;
  /** RMS of the original in dB of full scale. */
  readonly levelDb: number;
  /** Audio for the recognizer: the original, or its denoised version, `DENOISER_DELAY_SAMPLES` late. */
  readonly clean: Int16Array;
}

export interface HearingOptions {
  readonly vad: Vad;
  /** Undefined on a node without a front end. */
  readonly frontEnd: CallFrontEnd | undefined;
  readonly now: () => number;
  /** Called when the front end kept frames for too long; the call continues without it for a while. */
  readonly onLate: () => void;
}

/** Takes a judged frame, and when it ended. One function for all frames of a call, because there are fifty a second. */
export type TakeHeard = (frame: HeardFrame, endMs: number) => void;

interface Given {
  readonly frame: Int16Array;
  readonly endMs: number;
  readonly levelDb: number;
  readonly detected: boolean;
  readonly tasks: number;
  readonly heard: TakeHeard;
}

interface Entry extends Given {
  readonly takenMs: number;
  result: FrontEndResult | undefined;
  isDone: boolean;
}

/** Higher noise floors are noisy rooms: speech is 31 dB above; at 20 dB recognizers mishear every fourth word. */
const NOISY_DB = -55;
/** The model only checks frames this soon after a sound the detector heard, so silence costs nothing. */
const DETECT_AFTER_FRAMES = 300 / FRAME_MS;
/** The model's probability at which a voice starts, and below which it ends (Silero's own values). */
const VOICE_FROM = 0.5;
const VOICE_BELOW = 0.35;
/** Frames that the front end has not answered within this time continue without it. */
const LATE_MS = 200;
/** This many unjudged frames arrived at once, after a stall. */
const BEHIND_FRAMES = 3;
/** How long a front end that was late is left alone. */
const REST_MS = 3_000;

/**
 * Judges each frame of a caller before anything acts on it: whether it is voice, and its audio without the noise.
 * Frames that need no model, above all those of a quiet line, are judged at once; the others return in order a few ms
 * later. If the front end fails, WebRTC's detector decides and the audio stays as it is.
 */
export class Hearing {
  readonly #options: HearingOptions;
  readonly #room = new RoomNoise(NOISY_DB);
  readonly #foreground = new Foreground();
  readonly #lookback = new PreRoll(LOOKBACK_FRAMES);
  #queue: Entry[] = [];
  #sinceDetected = Number.POSITIVE_INFINITY;
  /** True if the model checked the previous frame. */
  #isDetecting = false;
  #isDenoising = false;
  /** True while the model hears a voice. */
  #isVoiceOn = false;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: HearingOptions) {
    this.#options = options;
  }

  /** True while the caller's latest frames are not judged yet; `tick` bounds how long. */
  get isBehind(): boolean {
    return this.#queue.length >= BEHIND_FRAMES;
  }

  /** Takes the 20 ms frame that ended at `endMs`; calls `heard` for it once, after those of the preceding frames. */
  hear(frame: Int16Array, endMs: number, heard: TakeHeard): void {
    const levelDb = levelOf(frame);
    const detected = this.#options.vad.isVoice(frame);
    const tasks = this.#tasks(levelDb, detected);
    this.#take({ frame, endMs, levelDb, detected, tasks, heard });
    if (this.#options.frontEnd) this.#lookback.push(frame);
  }

  /** Takes a frame that conceals a lost one: it is never voice, but the recognizer gets it. */
  lose(madeUp: Int16Array, endMs: number, heard: TakeHeard): void {
    const detects = this.#isDetecting ? TASK.detect : 0;
    const tasks = this.#isDenoising ? detects | TASK.denoise : detects && detects | TASK.unasked;
    this.#take({ frame: madeUp, endMs, levelDb: levelOf(madeUp), detected: false, tasks, heard });
  }

  /** Takes silence in place of a frame that never came. */
  miss(silence: Int16Array, endMs: number, heard: TakeHeard): void {
    const detected = this.#options.vad.isVoice(silence);
    this.#isDetecting = false;
    this.#take({ frame: silence, endMs, levelDb: levelOf(silence), detected, tasks: 0, heard });
  }

  /** Called every 20 ms; gives up on a front end that does not answer. */
  tick(nowMs: number): void {
    const oldest = this.#queue[0];
    if (!oldest || nowMs - oldest.takenMs <= LATE_MS) return;
    this.#restsUntilMs = nowMs + REST_MS;
    for (const entry of this.#queue) entry.isDone = true;
    this.#options.onLate();
    this.#drain();
  }

  close(): void {
    this.#queue = [];
    this.#options.frontEnd?.close();
    this.#options.vad.free();
  }

  /** The front end's tasks for a frame, including restarts after a pause. */
  #tasks(levelDb: number, detected: boolean): number {
    const { frontEnd, now } = this.#options;
    if (!frontEnd) return 0;
    const isNoisy = this.#room.push(levelDb, this.#foreground.callerDb);
    this.#sinceDetected = detected ? 0 : this.#sinceDetected + 1;
    const mayAsk = now() >= this.#restsUntilMs;
    const detects = mayAsk && frontEnd.detects() && this.#sinceDetected <= DETECT_AFTER_FRAMES;
    const denoises = mayAsk && frontEnd.denoises(isNoisy);
    let tasks = 0;
    if (detects) tasks |= this.#isDetecting ? TASK.detect : this.#warmUp(TASK.detect, TASK.restartDetect);
    if (denoises) tasks |= this.#isDenoising ? TASK.denoise : this.#warmUp(TASK.denoise, TASK.restartDenoise);
    this.#isDetecting = detects;
    this.#isDenoising = denoises;
    // A frame that the detector does not hear is no voice, whatever the model says.
    return detects && !denoises && !detected ? tasks | TASK.unasked : tasks;
  }

  /** Feeds the front end the frames before the first one. Returns the tasks left for that first frame. */
  #warmUp(task: number, restart: number): number {
    let tasks = task | restart;
    this.#lookback.each((frame) => {
      this.#options.frontEnd?.push(frame, tasks, () => undefined);
      tasks = task;
    });
    return tasks;
  }

  #take(given: Given): void {
    const isDone = given.tasks === 0 || (given.tasks & TASK.unasked) !== 0;
    if (isDone && given.tasks !== 0) this.#options.frontEnd?.push(given.frame, given.tasks, () => undefined);
    if (isDone && this.#queue.length === 0) {
      this.#deliver(given, undefined);
      return;
    }
    const entry: Entry = {
      ...given,
      frame: given.frame.slice(),
      takenMs: this.#options.now(),
      result: undefined,
      isDone,
    };
    this.#queue.push(entry);
    if (isDone) return;
    this.#options.frontEnd?.push(entry.frame, entry.tasks, (result) => {
      if (entry.isDone) return;
      entry.result = result;
      entry.isDone = true;
      this.#drain();
    });
  }

  #drain(): void {
    for (let first = this.#queue[0]; first?.isDone; first = this.#queue[0]) {
      this.#queue.shift();
      this.#deliver(first, first.result);
    }
  }

  #deliver(
    { frame, endMs, levelDb, detected, tasks, heard }: Given,
    result: FrontEndResult | undefined,
  ): void {
    const isModels = result !== undefined && (tasks & TASK.detect) !== 0;
    const clean = result !== undefined && (tasks & TASK.denoise) !== 0 ? result.samples : frame;
    if ((tasks & TASK.unasked) !== 0) {
      this.#isVoiceOn = false;
      const isVoice = this.#foreground.push(levelDb, false);
      heard({ isVoice, detected, original: frame, levelDb, clean }, endMs);
      return;
    }
    if (!isModels) {
      this.#isVoiceOn = false;
      heard({ isVoice: detected, detected: undefined, original: frame, levelDb, clean }, endMs);
      return;
    }
    this.#isVoiceOn = result.probability >= (this.#isVoiceOn ? VOICE_BELOW : VOICE_FROM);
    // Both must hear the voice: the detector is better in steady noise, the model in any other.
    const isVoice = this.#foreground.push(levelDb, this.#isVoiceOn && detected);
    heard({ isVoice, detected, original: frame, levelDb, clean }, endMs);
  }
}
