import type { IncomingHttpHeaders } from "node:http";
import type { CarrierName } from "@parley/shared/contracts/telephony.ts";

/** Outbound detection of machines: report it, or drop the call on one. */
export type MachineDetection = "true" | "hangup";

export interface Dial {
  readonly sessionId: string;
  /** E.164. */
  readonly to: string;
  readonly from: string;
  /** Where the carrier's media socket connects to once the call is answered; carries its own ticket. */
  readonly mediaUrl: string;
  /** Where the carrier posts what happens to the call. */
  readonly callbackUrl: string;
  readonly ringTimeoutSecs: number;
  readonly machineDetection?: MachineDetection | undefined;
}

export interface Transfer {
  /** E.164. */
  readonly to: string;
  readonly from: string;
  /** Of the call: a carrier may ask there how to go on, and tells there what became of the transfer. */
  readonly callbackUrl: string;
  readonly ringTimeoutSecs: number;
}

/** The second leg of a warm transfer: its target hears a whisper first, and is joined with the caller then. */
export interface ConsultCall extends Transfer {
  readonly sessionId: string;
  /** Names this transfer, and the room where the two meet. */
  readonly transferId: string;
  /** Of the second leg: nothing of the call's own is told there. */
  readonly callbackUrl: string;
  /** What the target hears first, in the carrier's own voice. */
  readonly whisper: string;
}

/** The two ends of a warm transfer. */
export interface Joining {
  readonly targetSid: string;
  readonly transferId: string;
  /** Of the call. */
  readonly callbackUrl: string;
}

/** Why a carrier's transfer came to nothing. */
export type TransferFailed = "busy" | "no-answer" | "failed";

/** What a carrier answers with, over HTTP, to its own request (TwiML, NCCO, Plivo XML, …). */
export interface CarrierAnswer {
  readonly contentType: string;
  readonly body: string;
}

/** A request of a carrier, as it came: the signature is over these very bytes. */
export interface CarrierRequest {
  readonly method: string;
  /** The public URL the carrier called, query included. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export const ANSWERED_BY = [
  "human",
  "machine_start",
  "machine_end_beep",
  "machine_end_silence",
  "machine_end_other",
  "machine",
  "fax",
  "unknown",
] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

export type EndStatus = "completed" | "busy" | "no-answer" | "failed" | "canceled";

interface OfLeg {
  readonly callSid: string;
  /** What `dial` gave, where the carrier names the leg again (Plivo): from here on `callSid` is the one to steer by. */
  readonly dialSid?: string;
}

/** What a carrier says of a leg, whoever it is. A leg that a transfer made has another `callSid` than ours. */
export type CarrierEvent = OfLeg &
  (
    | { readonly type: "ringing" }
    /** With `awaitsMedia` the carrier waits for what `connect` gives (Plivo asks over HTTP). */
    | { readonly type: "answered"; readonly awaitsMedia?: true }
    | { readonly type: "machine"; readonly answeredBy: AnsweredBy }
    | { readonly type: "ended"; readonly status: EndStatus }
    /** The carrier asks for what a command of ours told it to ask for: answer it with this, as it is. */
    | { readonly type: "asked"; readonly answer: CarrierAnswer }
    /** A transfer that was asked for: the far end talks to somebody else now. */
    | { readonly type: "transferred" }
    /** Nobody was there, and it is back; with `awaitsMedia` once `connect` was answered. */
    | { readonly type: "transfer_failed"; readonly why: TransferFailed; readonly awaitsMedia?: true }
    /** The target of a warm transfer (`consult`) has heard the whisper. */
    | { readonly type: "whispered" }
    /** Somebody calls a number of ours; answered with `connect` or `refuse`. */
    | { readonly type: "inbound"; readonly from: string; readonly to: string }
  );

/** What a callback says that was signed by the carrier. */
export interface SignedWord {
  /** Several events, one or none. */
  readonly events: readonly CarrierEvent[];
  /** What its signature makes unique, and a replay cannot change: a nonce, an id, or the signature itself. */
  readonly once: string;
  /** How long a replay would pass for genuine otherwise, or could do harm. */
  readonly rememberMs: number;
  /** The carrier waits for the answer, and when that is lost asks again with the very same bytes (Twilio). */
  readonly isRepeated?: boolean;
}

/**
 * One way to place and steer phone calls. It has no `play` and no `keys`: both are audio of ours on the media socket,
 * heard, recorded and cut off in the same way with every carrier. Methods throw `AppError`: bad_request (the carrier refuses the number, say),
 * not_found (the call is over), unauthorized (the account's credentials), too_many_requests, unavailable.
 */
export interface Carrier {
  readonly name: CarrierName;
  /** The path of the gateway's socket that speaks this carrier's media protocol; `loopback` is a call socket. */
  readonly mediaPath: string;
  /** Gives the carrier's id of the leg. */
  dial(call: Dial): Promise<{ callSid: string }>;
  hangUp(callSid: string): Promise<void>;
  /** What our media does while it transfers: whether it stops meanwhile, and whether we make the ringing tone. */
  readonly transferring: { readonly mediaStops: boolean; readonly rings: boolean };
  /**
   * Blind: the far end is connected to another number, and our media socket ends, at once or with `transferred`; or
   * it comes back with `transfer_failed`.
   */
  transfer(callSid: string, to: Transfer): Promise<void>;
  /** Rings the target of a warm transfer, on a leg of its own. What happens to it comes to its own `callbackUrl`. */
  consult(to: ConsultCall): Promise<{ callSid: string }>;
  /** The target has answered: speaks the whisper, unless `consult` took it along. `whispered` comes when it was heard. */
  whisper(targetSid: string, to: ConsultCall): Promise<CarrierAnswer>;
  /** Connects the two, and takes our media away. */
  join(callSid: string, to: Joining): Promise<void>;
  /** The answer to the callback that said `whispered`: the target waits where `join` will lead. */
  joinAnswer(transferId: string): CarrierAnswer;
  /** The far end talks to somebody else for good: where our media is still there (Telnyx), it goes. */
  stopMedia?(callSid: string): Promise<void>;
  /**
   * Verifies the signature, and its time where one is signed, and says what happened. Throws `AppError` unauthorized
   * when it is not the carrier's, or not of now. Whether it came before is for the caller to see, by `once`.
   */
  readCallback(request: CarrierRequest): SignedWord;
  /** What to answer a call with that comes in or `awaitsMedia`, so that its media comes to the socket. */
  connect(call: { readonly callSid: string; readonly mediaUrl: string }): Promise<CarrierAnswer>;
  /**
   * What to answer an inbound call with that nobody takes; `words` are said to the caller first, where a carrier speaks before
   * it was told to answer (Telnyx does not).
   */
  refuse(callSid: string, words?: string): Promise<CarrierAnswer>;
  /** What to answer any other callback with. */
  acknowledge(): CarrierAnswer;
}

/** A carrier with an account of somebody's. */
export interface AccountCarrier extends Carrier {
  /** Asks for something that costs nothing. Throws `AppError` unauthorized, bad_request, unavailable. */
  checkAccount(): Promise<void>;
}
