/** What an end-of-turn model's thread is asked: the caller's sound of the turn, 16 kHz. */
export interface SoundQuestion {
  readonly id: number;
  readonly samples: Int16Array<ArrayBuffer>;
}

/** What the thread says. */
export type ModelMessage =
  | { readonly type: "ready"; readonly hearsMs: number }
  /** The model cannot be used, and why. */
  | { readonly type: "refused"; readonly problem: string }
  /** Without `finished` the model had no usable answer. */
  | { readonly type: "answer"; readonly id: number; readonly finished?: number };
