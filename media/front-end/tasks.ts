/** What is to be done with a frame: bits of a number, since thousands of them a second cross to a thread. */
export const TASK = {
  /** Tell whether it is voice. */
  detect: 1,
  /** It is the first one after a pause: nothing that was heard before counts. */
  restartDetect: 2,
  /** Take the noise out of it. */
  denoise: 4,
  restartDenoise: 8,
  /** Nobody waits for what is said of it: the model only has to have heard it before the next frame. */
  unasked: 16,
} as const;

/** What became of a frame. */
export interface FrontEndResult {
  /** That the sound around the frame is voice, 0 to 1. */
  readonly probability: number;
  /** The frame, denoised if that was asked for, and `DENOISER_DELAY_SAMPLES` late then; valid during the call only. */
  readonly samples: Int16Array;
}

/** Gets the result, or nothing where the front end failed. */
export type Done = (result: FrontEndResult | undefined) => void;

/** Frames of any streams, in the order in which they came. */
export interface FrontEndBatch {
  readonly streams: Int32Array<ArrayBuffer>;
  /** Bits of `TASK`, by frame. */
  readonly tasks: Uint8Array<ArrayBuffer>;
  /** `FRAME_SAMPLES` of each frame, one behind the other. */
  readonly samples: Int16Array<ArrayBuffer>;
  /** Streams that are over. */
  readonly closed: readonly number[];
}

/** In the order of the batch. */
export interface FrontEndAnswer {
  readonly probabilities: Float32Array<ArrayBuffer>;
  /** The samples of the batch, those denoised that were to be; `DENOISER_DELAY_SAMPLES` late. */
  readonly samples: Int16Array<ArrayBuffer>;
}

/** What a front end's thread says. */
export type FrontEndMessage =
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly problem: string }
  | ({ readonly type: "answer" } & FrontEndAnswer);
