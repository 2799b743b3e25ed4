import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import type { AudioFormat } from "@parley/shared/contracts/call-socket.ts";

/** The first message that describes the call. */
export interface MediaStart {
  readonly type: "started";
  /** The carrier's id of the call leg; undefined if its socket does not tell. */
  readonly callSid: string | undefined;
  /** The id that the carrier expects in our messages; empty if it expects none. */
  readonly streamId: string;
  /** Format of both directions. */
  readonly format: AudioFormat;
  /** True if two-byte samples are big-endian in both directions. */
  readonly isBigEndian?: boolean;
}

/** An event of a carrier's media socket, independent of the carrier. */
export type MediaEvent =
  | MediaStart
  /** Audio of the caller. `chunk` counts up by one if the carrier does not preserve the order. */
  | { readonly type: "audio"; readonly bytes: Uint8Array; readonly chunk?: number }
  | { readonly type: "dtmf"; readonly digit: DtmfDigit }
  /** Everything sent before the mark was played, or dropped by a clear. */
  | { readonly type: "mark"; readonly name: string }
  | { readonly type: "cleared" }
  | { readonly type: "stopped" }
  /** The carrier found a fault in what it was sent. */
  | { readonly type: "error"; readonly problem: string }
  | { readonly type: "ignored" }
  | { readonly type: "malformed"; readonly problem: string };

/** Our half of a started stream; each text or byte array is one message. */
export interface StreamSerializer {
  /** Converts received audio to what the codec reads; may change its argument in place. */
  readonly read?: (bytes: Uint8Array) => Uint8Array;
  /** Encodes 20 ms in the stream's format. */
  audio(bytes: Uint8Array): string | Uint8Array;
  mark(name: string): string;
  /** Tells the carrier to discard its buffer. */
  clear(): string;
}

/** One carrier's media protocol. */
export interface MediaSerializer {
  /** Never throws. Returned bytes are valid for as long as the given message. */
  parse(message: string | Uint8Array): MediaEvent;
  stream(start: MediaStart): StreamSerializer;
}
