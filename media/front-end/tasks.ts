/** What to do with a frame, as bits of a number, since thousands of frames per second cross to a thread. */
export const TASK = {
  /** Tell whether the frame is voice. */
  detect: 1,
  /** The frame is the first after a pause: nothing heard before counts. */
  restartDetect: 2,
  /** Denoise the frame. */
  denoise: 4,
  restartDenoise: 8,
  /** Nobody waits for the result: the model only has to hear this frame before the next. */
  unasked: 16,
} as const;

/** The result for a frame. */
export interface FrontEndResult {
  /** Probability that the sound around the frame is voice, 0 to 1. */
  readonly probability: number;
  /** The frame, or its denoised version `DENOISER_DELAY_SAMPLES` late if requested; valid during the call only. */
  readonly samples: Int16Array;
}

/** Receives the result, or undefined if the front end failed. */
export type Done = (result: FrontEndResult | undefined) => void;

/** Frames of any streams, in order of arrival. */
export interface FrontEndBatch {
  readonly streams: Int32Array<ArrayBuffer>;
  /** Bits of `TASK` per frame. */
  readonly tasks: Uint8Array<ArrayBuffer>;
  /** `FRAME_SAMPLES` samples per frame, concatenated. */
  readonly samples: Int16Array<ArrayBuffer>;
  /** Streams that have ended. */
  readonly closed: readonly number[];
}

/** Results in the order of the batch. */
export interface FrontEndAnswer {
  readonly probabilities: Float32Array<ArrayBuffer>;
  /** The batch's samples, denoised as requested; denoised ones are `DENOISER_DELAY_SAMPLES` late. */
  readonly samples: Int16Array<ArrayBuffer>;
}

/** Messages from a front end's thread. */
export type FrontEndMessage =
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly problem: string }
  | ({ readonly type: "answer" } & FrontEndAnswer);
