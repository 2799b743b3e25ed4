import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import type { AudioFormat } from "@parley/shared/contracts/call-socket.ts";

/** The first message that says anything of the call. */
export interface MediaStart {
  readonly type: "started";
  /** The carrier's id of the call leg; undefined where its socket does not tell. */
  readonly callSid: string | undefined;
  /** What the carrier wants to read in our messages; empty where it wants nothing. */
  readonly streamId: string;
  /** Of both directions. */
  readonly format: AudioFormat;
  /** Samples of two bytes come, and are wanted, high byte first. */
  readonly isBigEndian?: boolean;
}

/** What a carrier's media socket says, whoever the carrier is. */
export type MediaEvent =
  | MediaStart
  /** Audio of the caller. `chunk` counts up by one where the carrier does not keep the order. */
  | { readonly type: "audio"; readonly bytes: Uint8Array; readonly chunk?: number }
  | { readonly type: "dtmf"; readonly digit: DtmfDigit }
  /** What was sent before the mark was played, or dropped by a clear. */
  | { readonly type: "mark"; readonly name: string }
  | { readonly type: "cleared" }
  | { readonly type: "stopped" }
  /** The carrier found a fault in what it was sent. */
  | { readonly type: "error"; readonly problem: string }
  | { readonly type: "ignored" }
  | { readonly type: "malformed"; readonly problem: string };

/** Our half of a started stream: text or bytes, each one message. */
export interface StreamSerializer {
  /** Audio as it came, as the codec reads it; may change what it is given. */
  readonly read?: (bytes: Uint8Array) => Uint8Array;
  /** 20 ms in the stream's format. */
  audio(bytes: Uint8Array): string | Uint8Array;
  mark(name: string): string;
  /** Throw away what is buffered. */
  clear(): string;
}

/** One carrier's media protocol. */
export interface MediaSerializer {
  /** Never throws. Bytes it gives are valid as long as those it was given. */
  parse(message: string | Uint8Array): MediaEvent;
  stream(start: MediaStart): StreamSerializer;
}
