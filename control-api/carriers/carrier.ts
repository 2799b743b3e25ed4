import type { IncomingHttpHeaders } from "node:http";
import type { CarrierName } from "@parley/shared/contracts/telephony.ts";

/** Outbound detection of machines (spec 1, "Outbound call arguments"): report it, or drop the call on one. */
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

/** What a carrier says of a call, whoever it is. */
export type CarrierEvent =
  | { readonly type: "ringing"; readonly callSid: string }
  | { readonly type: "answered"; readonly callSid: string }
  | { readonly type: "machine"; readonly callSid: string; readonly answeredBy: AnsweredBy }
  | {
      readonly type: "ended";
      readonly callSid: string;
      readonly status: "completed" | "busy" | "no-answer" | "failed" | "canceled";
    }
  /** A transfer that was asked for: the far end talks to somebody else now, or nobody was there and it is back. */
  | { readonly type: "transferred"; readonly callSid: string }
  | {
      readonly type: "transfer_failed";
      readonly callSid: string;
      readonly why: "busy" | "no-answer" | "failed";
    }
  /** Somebody calls a number of ours; answered with `connect` or `refuse`. */
  | { readonly type: "inbound"; readonly callSid: string; readonly from: string; readonly to: string };

/**
 * One way to place and steer phone calls. Methods throw `AppError`: bad_request (the carrier refuses the number, say),
 * not_found (the call is over), unauthorized (the account's credentials), too_many_requests, unavailable.
 */
export interface Carrier {
  readonly name: CarrierName;
  /** The path of the gateway's socket that speaks this carrier's media protocol; `loopback` is a call socket. */
  readonly mediaPath: string;
  /** Gives the carrier's id of the leg. */
  dial(call: Dial): Promise<{ callSid: string }>;
  hangUp(callSid: string): Promise<void>;
  /** Blind: the far end is connected to another number, and our media socket ends. */
  transfer(callSid: string, to: { readonly to: string; readonly from: string }): Promise<void>;
  sendDigits(callSid: string, digits: string): Promise<void>;
  /**
   * Verifies the signature and says what happened; several events, one or none. Throws `AppError` unauthorized when it
   * is not the carrier's, or a replay where the carrier's signature can tell.
   */
  readCallback(request: CarrierRequest): readonly CarrierEvent[];
  /** What to answer an inbound call with so that its media comes to the socket. */
  connect(call: { readonly callSid: string; readonly mediaUrl: string }): Promise<CarrierAnswer>;
  /** What to answer an inbound call with that nobody takes. */
  refuse(): CarrierAnswer;
  /** What to answer any other callback with. */
  acknowledge(): CarrierAnswer;
}
