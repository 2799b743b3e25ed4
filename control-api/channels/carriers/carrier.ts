import type { IncomingHttpHeaders } from "node:http";
import type { CarrierName } from "@parley/shared/contracts/telephony.ts";

/** Answering machine detection on outbound calls: report the verdict, or hang up on a machine. */
export type MachineDetection = "true" | "hangup";

export interface Dial {
  readonly sessionId: string;
  /** E.164. */
  readonly to: string;
  readonly from: string;
  /** Where the carrier connects its media socket once the call is answered; carries its own ticket. */
  readonly mediaUrl: string;
  /** Where the carrier posts the call's events. */
  readonly callbackUrl: string;
  readonly ringTimeoutSecs: number;
  readonly machineDetection?: MachineDetection | undefined;
}

export interface Transfer {
  /** E.164. */
  readonly to: string;
  readonly from: string;
  /** Callback of the call: the carrier may ask there how to proceed, and reports the transfer's result there. */
  readonly callbackUrl: string;
  readonly ringTimeoutSecs: number;
}

/** The second leg of a warm transfer: its target hears a whisper, then is joined with the caller. */
export interface ConsultCall extends Transfer {
  readonly sessionId: string;
  /** Identifies this transfer and the room where the two legs meet. */
  readonly transferId: string;
  /** Callback of the second leg; receives no events of the original call. */
  readonly callbackUrl: string;
  /** What the target hears first, spoken by the carrier's TTS. */
  readonly whisper: string;
}

/** The two ends of a warm transfer. */
export interface Joining {
  readonly targetSid: string;
  readonly transferId: string;
  /** Callback of the call. */
  readonly callbackUrl: string;
}

/** Why a carrier's transfer failed. */
export type TransferFailed = "busy" | "no-answer" | "failed";

/** HTTP response to a carrier's own request (TwiML, NCCO, Plivo XML, …). */
export interface CarrierAnswer {
  readonly contentType: string;
  readonly body: string;
}

/** A carrier's request, unparsed: the signature covers its exact bytes. */
export interface CarrierRequest {
  readonly method: string;
  /** The public URL that the carrier called, query included. */
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
  /** The id `dial` returned, if the carrier renames the leg (Plivo): from here on `callSid` controls it. */
  readonly dialSid?: string;
}

/** What any carrier reports about a leg. The leg of a transfer has its own `callSid`. */
export type CarrierEvent = OfLeg &
  (
    | { readonly type: "ringing" }
    /** With `awaitsMedia`, the carrier waits for the answer from `connect` (Plivo asks over HTTP). */
    | { readonly type: "answered"; readonly awaitsMedia?: true }
    | { readonly type: "machine"; readonly answeredBy: AnsweredBy }
    | { readonly type: "ended"; readonly status: EndStatus }
    /** The carrier fetches what an earlier command of ours pointed it to: reply with `answer` verbatim. */
    | { readonly type: "asked"; readonly answer: CarrierAnswer }
    /** A requested transfer succeeded: the far end now talks to somebody else. */
    | { readonly type: "transferred" }
    /** The transfer failed and the far end is back; with `awaitsMedia`, once `connect` was answered. */
    | { readonly type: "transfer_failed"; readonly why: TransferFailed; readonly awaitsMedia?: true }
    /** The target of a warm transfer (`consult`) has heard the whisper. */
    | { readonly type: "whispered" }
    /** An inbound call to one of our numbers; reply with `connect` or `refuse`. */
    | { readonly type: "inbound"; readonly from: string; readonly to: string }
    /** An inbound call was answered only to tell its caller why nobody takes it: reply with `explain`. */
    | { readonly type: "to_explain"; readonly words: string }
    /** That caller has heard it: hang up. */
    | { readonly type: "explained" }
  );

/** The content of a callback whose signature was verified. */
export interface SignedWord {
  /** Zero or more events. */
  readonly events: readonly CarrierEvent[];
  /** A value that the signature makes unique and a replay cannot change: a nonce, an id, or the signature itself. */
  readonly once: string;
  /** How long to remember `once`: while a replay would pass as genuine or could do harm. */
  readonly rememberMs: number;
  /** The carrier waits for the answer and, if it gets lost, repeats the request byte for byte (Twilio). */
  readonly isRepeated?: boolean;
}

/**
 * Places and controls phone calls. Has no `play` or `keys`: both are our audio on the media socket, heard, recorded and
 * cut off the same way with every carrier. Methods throw `AppError`: bad_request (e.g. the carrier refuses the number),
 * not_found (the call is over), unauthorized (the account's credentials), too_many_requests, unavailable.
 */
export interface Carrier {
  readonly name: CarrierName;
  /** Path of the gateway socket that speaks this carrier's media protocol; `loopback` is a call socket. */
  readonly mediaPath: string;
  /** Returns the carrier's id of the leg. */
  dial(call: Dial): Promise<{ callSid: string }>;
  hangUp(callSid: string): Promise<void>;
  /** What happens to our media during a transfer: whether it stops, and whether we generate the ringback tone. */
  readonly transferring: { readonly mediaStops: boolean; readonly rings: boolean };
  /**
   * Blind: connects the far end to another number. Our media socket ends at once or with `transferred`; on failure, the
   * far end returns with `transfer_failed`.
   */
  transfer(callSid: string, to: Transfer): Promise<void>;
  /** Rings the target of a warm transfer on a separate leg, whose events go to its own `callbackUrl`. */
  consult(to: ConsultCall): Promise<{ callSid: string }>;
  /** The target answered: speaks the whisper, unless `consult` included it. `whispered` follows when it was heard. */
  whisper(targetSid: string, to: ConsultCall): Promise<CarrierAnswer>;
  /** Connects caller and target, and removes our media. */
  join(callSid: string, to: Joining): Promise<void>;
  /** The reply to the `whispered` callback: the target waits where `join` will connect the caller. */
  joinAnswer(transferId: string): CarrierAnswer;
  /** Stops our media after a permanent handover, on carriers that keep it running (Telnyx). */
  stopMedia?(callSid: string): Promise<void>;
  /**
   * Verifies the signature, and its timestamp if signed, and returns the events. Throws `AppError` unauthorized if the
   * request is not the carrier's or not current. The caller detects replays by `once`.
   */
  readCallback(request: CarrierRequest): SignedWord;
  /** The reply that connects the media of an inbound or `awaitsMedia` call to the socket. */
  connect(call: { readonly callSid: string; readonly mediaUrl: string }): Promise<CarrierAnswer>;
  /**
   * The reply to an inbound call nobody takes. `words` are spoken to the caller first; a carrier that cannot speak
   * before it answers reports `to_explain` once it has (Telnyx).
   */
  refuse(callSid: string, words?: string): Promise<CarrierAnswer>;
  /** Speaks to a caller after `to_explain`; `explained` follows when they have heard it. */
  explain?(callSid: string, words: string): Promise<void>;
  /** The reply to any other callback. */
  acknowledge(): CarrierAnswer;
}

/** A carrier that works with a customer's account. */
export interface AccountCarrier extends Carrier {
  /** Makes a request that costs nothing. Throws `AppError` unauthorized, bad_request, unavailable. */
  checkAccount(): Promise<void>;
}
