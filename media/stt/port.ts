import type { SpeechError } from "../speech-error.ts";

/** What a recognizer says while it listens. Times are ms on the session's own audio clock. */
export type SttEvent =
  | { readonly type: "interim"; readonly text: string }
  /**
   * Text that will not change any more. `text` may be empty: there was no speech in it. `endMs` is where
   * the audio ends that it covers, when the vendor says so.
   */
  | {
      readonly type: "final";
      readonly text: string;
      readonly fromFinalize: boolean;
      readonly endMs?: number;
      /** The vendor heard by itself that the speech ended here. */
      readonly endsSpeech?: boolean;
    }
  /** The session is over and takes no more audio. Of several vendors: nobody hears the caller, until `recovered`. */
  | { readonly type: "failed"; readonly error: SpeechError }
  /** After `failed`, of several vendors: one of them hears the caller. */
  | { readonly type: "recovered" };

export interface SttOptions {
  /** BCP 47. */
  readonly language: string;
  readonly model?: string;
  readonly onEvent: (event: SttEvent) => void;
}

/**
 * Speech to text for one call. The gateway writes 20 ms frames of 16 kHz PCM and says when the voice stops.
 */
export interface SttSession {
  /**
   * "stream": every frame of the call is written, silence too. "utterance": frames are written from just
   * before the voice begins until `finalize`. "none": audio is never written (text comes from elsewhere).
   */
  readonly feed: "stream" | "utterance" | "none";
  /** True when interim text comes while the caller still speaks. */
  readonly hasInterims: boolean;
  /** A vendor that takes its time: within this long after `finalize` it has answered, or `failed`. */
  readonly answersWithinMs: number | undefined;
  /** `frame` may be reused by the caller after this returns: copy what is kept. */
  write(frame: Int16Array): void;
  /** The voice stopped: give the final text now. Answered by exactly one `final` with `fromFinalize`. */
  finalize(): void;
  close(): void;
}

/** A recognizer that can be opened once a call. Never throws from `open`: failures are events. */
export interface SttVendor {
  readonly name: string;
  open(options: SttOptions): SttSession;
}
