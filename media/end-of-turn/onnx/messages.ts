/** A question to an end-of-turn model's thread: the caller's audio of the turn, 16 kHz. */
export interface SoundQuestion {
  readonly id: number;
  readonly samples: Int16Array<ArrayBuffer>;
}

/** Messages from the thread. */
export type ModelMessage =
  | { readonly type: "ready"; readonly hearsMs: number }
  /** The model cannot be used, for the given reason. */
  | { readonly type: "refused"; readonly problem: string }
  /** `finished` is missing if the model had no usable answer. */
  | { readonly type: "answer"; readonly id: number; readonly finished?: number };
