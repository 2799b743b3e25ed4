import type { SpeechError } from "../speech-error.ts";

/** Events of a listening recognizer. Times are ms on the session's own audio clock. */
export type SttEvent =
  | { readonly type: "interim"; readonly text: string }
  /**
   * Text that will not change any more. An empty `text` means that there was no speech. `endMs` is the end of the audio
   * that the text covers, if the vendor says so.
   */
  | {
      readonly type: "final";
      readonly text: string;
      readonly fromFinalize: boolean;
      readonly endMs?: number;
      /** True if the vendor itself detected the end of speech here. */
      readonly endsSpeech?: boolean;
    }
  /** The session is over and takes no more audio. From a fallback: nobody hears the caller until `recovered`. */
  | { readonly type: "failed"; readonly error: SpeechError }
  /** After `failed`, from a fallback: one of its vendors hears the caller. */
  | { readonly type: "recovered" };

export interface SttOptions {
  /** BCP 47. */
  readonly language: string;
  readonly model?: string;
  readonly onEvent: (event: SttEvent) => void;
}

/** Speech to text for one call. The gateway writes 20 ms frames of 16 kHz PCM and reports when the voice stops. */
export interface SttSession {
  /**
   * "stream": every frame of the call is written, silence included. "utterance": frames are written from just before
   * the voice begins until `finalize`. "none": audio is never written, and text comes from elsewhere.
   */
  readonly feed: "stream" | "utterance" | "none";
  /** True if interim text comes while the caller still speaks. */
  readonly hasInterims: boolean;
  /** For a slow vendor, the time after `finalize` within which it has answered or `failed`. */
  readonly answersWithinMs: number | undefined;
  /** `frame` may be reused once this returns: copy what you keep. */
  write(frame: Int16Array): void;
  /** The voice stopped: requests the final text now. Answered by exactly one `final` with `fromFinalize`. */
  finalize(): void;
  close(): void;
}

/** Recorded speech in a file format that the vendor decodes itself. */
export interface SpeechFile {
  readonly bytes: Uint8Array;
  /** Media type without parameters: `audio/mp4`. */
  readonly contentType: string;
}

export interface FileOptions extends Pick<SttOptions, "language" | "model"> {
  readonly signal: AbortSignal;
}

/** A recognizer that is opened once per call. `open` never throws: failures are events. */
export interface SttVendor {
  readonly name: string;
  open(options: SttOptions): SttSession;
  /** Transcribes a whole file; absent where the vendor takes none. Throws `SpeechError`. */
  transcribeFile?(file: SpeechFile, options: FileOptions): Promise<string>;
}
