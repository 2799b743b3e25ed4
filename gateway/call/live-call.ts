import type { CallCommand, CallCommandReply } from "@parley/shared/contracts/call-commands.ts";
import type { CallMessage } from "@parley/shared/contracts/call-socket.ts";
import type { CloseReason } from "@parley/shared/contracts/close-codes.ts";
import type { CallerConnection } from "./line.ts";

/** What the connected socket delivers to the call. */
export interface CallerInput {
  /** Caller audio, 16 kHz mono, any length; `samples` may be reused afterwards. */
  onAudio(samples: Int16Array): void;
  onMessage(message: CallMessage): void;
  /** The socket broke without a hang-up. */
  onDropped(): void;
}

export type Attachment =
  | { readonly ok: true; readonly input: CallerInput }
  | { readonly ok: false; readonly reason: "resume_invalid" | "ended" };

/** The rights with which a socket joins a call. */
export interface AttachRequest {
  /** The resume token from the socket's `start` message. */
  readonly resume: string | undefined;
  /** The kind of ticket the socket has: a client's or a phone's. */
  readonly end: "client" | "leg";
  /** True if the ticket is recent enough for a first connect. */
  readonly hasFreshTicket: boolean;
}

/** Commands that not every kind of call can follow. */
export type CallOrder = Exclude<CallCommand, { command: "end" | "watch" }>;

/** A call as its node sees it, whoever takes part. */
export interface LiveCall {
  readonly isOver: boolean;
  /** Resolves when the call's record is complete; never before `end`. */
  readonly ended: Promise<void> | undefined;
  attach(connection: CallerConnection, arrival: AttachRequest): Attachment;
  /** Called every 20 ms. */
  tick(): void;
  execute(order: CallOrder): CallCommandReply | Promise<CallCommandReply>;
  /** Ends the call at the next end of a sentence, or at once if nothing is being said. */
  endAfterSentence(reason: string, close: CloseReason): void;
  /** Ends the call, once; the first reason counts. */
  end(reason: string, close?: CloseReason): void;
}
