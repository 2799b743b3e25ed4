import type { CharTimes } from "./char-times.ts";

/** How a vendor should sound. */
export interface TtsVoice {
  readonly voice?: string;
  readonly model?: string;
  /** 1 is the voice's own speed. A vendor without this setting ignores it; one with bounds clamps it. */
  readonly speed?: number;
}

/** A voice for one answer. Clauses are said in order; audio is 16 kHz mono PCM in chunks of any length. */
export interface TtsReply {
  /**
   * Speaks one clause. Chunks arrive as the vendor makes them. Throws `SpeechError`; ends early and silently if the
   * reply's signal is aborted. A vendor that knows when each character is said reports that to `times`, relative to
   * `text` and to the audio of this call.
   */
  say(text: string, times?: CharTimes): AsyncIterable<Int16Array>;
  /** Frees the vendor's connection; safe to call twice. */
  close(): void;
}

/** A voice vendor. Each answer has one `openReply`, so that a vendor with a socket can keep it for the answer. */
export interface TtsVendor {
  readonly name: string;
  /** Connects ahead of need, so that the first clause need not wait for the connection. Never throws. */
  warm?(): void;
  openReply(options: TtsVoice & { readonly signal: AbortSignal }): TtsReply;
  close?(): Promise<void>;
}
