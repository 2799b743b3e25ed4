import type { CallCommand, CallCommandReply } from "@parley/shared/contracts/call-commands.ts";
import type { CallMessage } from "@parley/shared/contracts/call-socket.ts";
import type { CloseReason } from "@parley/shared/contracts/close-codes.ts";
import type { CallerConnection } from "./line.ts";

/** What the connected socket hands to the call. */
export interface CallerInput {
  /** Caller audio, 16 kHz mono, any length; may be reused afterwards. */
  onAudio(samples: Int16Array): void;
  onMessage(message: CallMessage): void;
  /** The socket is gone without a hang-up. */
  onDropped(): void;
}

export type Attachment =
  | { readonly ok: true; readonly input: CallerInput }
  | { readonly ok: false; readonly reason: "resume_invalid" | "ended" };

/** By which right a socket comes to a call. */
export interface AttachRequest {
  /** The token of its `start` message. */
  readonly resume: string | undefined;
  /** Whose ticket it has: a client's or a phone's. */
  readonly end: "client" | "leg";
  /** The ticket is not too old for a first connect. */
  readonly hasFreshTicket: boolean;
}

/** Commands that not every call can follow. */
export type CallOrder = Exclude<CallCommand, { command: "end" | "watch" }>;

/** A call as its node sees it, whoever talks in it. */
export interface LiveCall {
  readonly isOver: boolean;
  /** Resolves when the call's record is complete; never before `end`. */
  readonly ended: Promise<void> | undefined;
  attach(connection: CallerConnection, arrival: AttachRequest): Attachment;
  /** Called every 20 ms. */
  tick(): void;
  execute(order: CallOrder): CallCommandReply | Promise<CallCommandReply>;
  /** Ends the call at the next end of a sentence; at once when nothing is being said. */
  endAfterSentence(reason: string, close: CloseReason): void;
  /** Ends the call, once; the first reason counts. */
  end(reason: string, close?: CloseReason): void;
}
