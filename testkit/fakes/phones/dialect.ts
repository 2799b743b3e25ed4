import type { AudioFormat } from "@parley/shared/contracts/call-socket.ts";

/** A message from the application to the carrier. */
export type AppMessage =
  | { readonly type: "audio"; readonly bytes: Uint8Array }
  | { readonly type: "mark"; readonly name: string }
  | { readonly type: "clear" };

/** One carrier's side of its media protocol: the messages it sends and understands. */
export interface PhoneDialect {
  /** Format of the bytes of `media` and `read`, low byte first. */
  readonly format: AudioFormat;
  /** Messages sent as soon as the socket opens. */
  opening(): string[];
  /** 20 ms of caller audio. */
  media(bytes: Uint8Array): string | Uint8Array;
  digit(digit: string): string;
  /** Audio before the mark has been played. */
  played(name: string): string;
  /** A clear was carried out; `dropped` are the marks not yet played. */
  cleared(dropped: readonly string[]): string[];
  /** Sent before the socket closes, where the carrier sends anything. */
  stop(): string | undefined;
  /** Throws for messages the carrier would refuse. */
  read(message: string | Uint8Array): AppMessage;
}

export interface PhoneIds {
  readonly callSid: string;
  readonly streamId: string;
}

/** Parses a text message as JSON. Throws for a binary one: Twilio's error 31950. */
export function parseText(message: string | Uint8Array): unknown {
  if (typeof message !== "string") throw new Error("a binary message");
  return JSON.parse(message);
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
