import type { ArrivalFigures } from "@parley/shared/contracts/call-socket.ts";
import type { TransferFailure } from "@parley/shared/contracts/transfers.ts";
import type { CallFailure, CallSocketEvent } from "../talk/call-socket.ts";
import type { MicrophoneFault } from "../talk/microphone-fault.ts";

/** The parties of a call, first as known before dialing, then as the API answers. */
export interface Line {
  readonly direction: "outbound" | "inbound";
  /** The other side's number, E.164 or as its carrier names it. */
  readonly number: string;
  /** The organization's number. */
  readonly ownNumber: string | undefined;
  readonly sessionId: string | undefined;
}

/** The state of this page's call. */
export type Phase =
  | { readonly at: "idle" }
  /** The browser may be asking for the microphone; then the API is called. */
  | { readonly at: "preparing" }
  /** The far end is ringing, or its audio is on the way. */
  | { readonly at: "ringing" }
  | { readonly at: "live" }
  | { readonly at: "resuming" }
  | { readonly at: "ended"; readonly reason: string }
  | { readonly at: "failed"; readonly failure: CallFailure }
  /** Nothing was dialed, for lack of a microphone. */
  | { readonly at: "no-microphone"; readonly fault: MicrophoneFault }
  /** The API refused; `message` says what to change. */
  | { readonly at: "refused"; readonly message: string };

export interface Quality {
  /** Audio from this page, as it reaches the gateway. */
  readonly own: ArrivalFigures;
  /** Audio from the phone. */
  readonly far: ArrivalFigures;
}

/** Everything the page shows of its call. */
export interface SoftphoneView {
  readonly phase: Phase;
  readonly line: Line | undefined;
  /** In ms since the epoch, by this browser's clock. */
  readonly answeredAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
  readonly isMuted: boolean;
  readonly isHeld: boolean;
  readonly microphone:
    | { readonly is: "on" | "off" }
    | { readonly is: "failed"; readonly fault: MicrophoneFault };
  /** False when audio cannot be played here. */
  readonly hasSound: boolean;
  /** The person is talking into a muted microphone. */
  readonly isTalkingMuted: boolean;
  readonly pressed: string;
  /** Keys the other side pressed. */
  readonly heardKeys: string;
  readonly roundTripMs: number | undefined;
  readonly quality: Quality | undefined;
  /** Target of a transfer under way; after the call, of the last one. */
  readonly transferringTo: string | undefined;
  /** A failed transfer: why, and to whom. Set until read, or until the next action on the call. */
  readonly cameBack: { readonly why: TransferFailure; readonly from: string | undefined } | undefined;
  /** Whether this page hung up. */
  readonly hasHungUp: boolean;
  readonly trouble: string | undefined;
}

export type SoftphoneEvent =
  | Exclude<CallSocketEvent, { type: "audio" }>
  | { readonly type: "started"; readonly line: Line; readonly answeredAtMs: number | undefined }
  | { readonly type: "line"; readonly line: Line }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "no-microphone"; readonly fault: MicrophoneFault }
  | { readonly type: "hung-up" }
  /** Canceled before there was a call. */
  | { readonly type: "canceled" }
  | { readonly type: "microphone"; readonly microphone: SoftphoneView["microphone"] }
  | { readonly type: "no-sound" }
  | { readonly type: "muted"; readonly isMuted: boolean }
  | { readonly type: "held"; readonly isHeld: boolean }
  | { readonly type: "talking-muted"; readonly isTalking: boolean }
  | { readonly type: "pressed"; readonly digit: string }
  | { readonly type: "round-trip"; readonly ms: number }
  | { readonly type: "transferring"; readonly to: string }
  /** The person has read that the transfer failed. */
  | { readonly type: "came-back-read" };

/** How many of the latest keys are shown. */
const SHOWN_KEYS = 20;

export const IDLE: SoftphoneView = {
  phase: { at: "idle" },
  line: undefined,
  answeredAtMs: undefined,
  endedAtMs: undefined,
  isMuted: false,
  isHeld: false,
  microphone: { is: "off" },
  hasSound: true,
  isTalkingMuted: false,
  pressed: "",
  heardKeys: "",
  roundTripMs: undefined,
  quality: undefined,
  transferringTo: undefined,
  cameBack: undefined,
  hasHungUp: false,
  trouble: undefined,
};

/** True from dialing to the end. */
export function isBusy({ phase: { at } }: SoftphoneView): boolean {
  return at === "preparing" || at === "ringing" || at === "live" || at === "resuming";
}

/** Applies one event to the view; `atMs` is in ms since the epoch. Pure. */
export function nextView(
  view: SoftphoneView,
  { event, atMs }: { event: SoftphoneEvent; atMs: number },
): SoftphoneView {
  switch (event.type) {
    case "started":
      return { ...IDLE, phase: { at: "preparing" }, line: event.line, answeredAtMs: event.answeredAtMs };
    case "line":
      return { ...view, line: event.line };
    case "hung-up":
      return { ...view, hasHungUp: true };
    case "canceled":
      return over(view, { at: "ended", reason: "hangup" }, atMs);
    case "refused":
      return over(view, { at: "refused", message: event.message }, atMs);
    case "no-microphone":
      return over(view, { at: "no-microphone", fault: event.fault }, atMs);
    case "ready":
      return { ...view, phase: { at: view.answeredAtMs === undefined ? "ringing" : "live" } };
    case "resuming":
      return { ...view, phase: { at: "resuming" }, cameBack: undefined };
    case "ended":
      return over(view, { at: "ended", reason: event.reason }, atMs);
    case "failed":
      return over(view, { at: "failed", failure: event.failure }, atMs);
    case "message":
      return afterMessage(view, event.message, atMs);
    default:
      return afterAction(view, event);
  }
}

type ActionEvent = Extract<
  SoftphoneEvent,
  {
    type:
      | "microphone"
      | "no-sound"
      | "muted"
      | "held"
      | "talking-muted"
      | "pressed"
      | "round-trip"
      | "transferring"
      | "came-back-read";
  }
>;

function afterAction(view: SoftphoneView, event: ActionEvent): SoftphoneView {
  switch (event.type) {
    case "microphone":
      return { ...view, microphone: event.microphone };
    case "no-sound":
      return { ...view, hasSound: false };
    case "muted":
      return { ...view, isMuted: event.isMuted, isTalkingMuted: false, cameBack: undefined };
    case "held":
      return { ...view, isHeld: event.isHeld, cameBack: undefined };
    case "talking-muted":
      return { ...view, isTalkingMuted: event.isTalking };
    case "pressed":
      return {
        ...view,
        pressed: (view.pressed + event.digit).slice(-SHOWN_KEYS),
        cameBack: undefined,
      };
    case "round-trip":
      return { ...view, roundTripMs: event.ms };
    case "transferring":
      return { ...view, transferringTo: event.to, cameBack: undefined };
    case "came-back-read":
      return { ...view, cameBack: undefined };
  }
}

function afterMessage(
  view: SoftphoneView,
  message: Extract<SoftphoneEvent, { type: "message" }>["message"],
  atMs: number,
): SoftphoneView {
  switch (message.type) {
    case "leg":
      if (message.state === "connecting") return { ...view, phase: { at: "ringing" } };
      return { ...view, phase: { at: "live" }, answeredAtMs: view.answeredAtMs ?? atMs };
    case "transfer":
      return {
        ...view,
        transferringTo: undefined,
        cameBack: { why: message.why, from: view.transferringTo },
      };
    case "hold":
      return { ...view, isHeld: message.on };
    case "dtmf":
      return { ...view, heardKeys: (view.heardKeys + message.digits).slice(-SHOWN_KEYS) };
    case "quality":
      return { ...view, quality: { own: message.softphone, far: message.phone } };
    case "error":
      return { ...view, trouble: message.message };
    case "transcript":
    case "state":
    case "clear":
    case "mark":
    case "metrics":
    case "pong":
      return view;
  }
}

/** Ends the call, but keeps what was noted and shown of it until the next call. */
function over(view: SoftphoneView, phase: Phase, atMs: number): SoftphoneView {
  const { microphone } = view;
  return {
    ...view,
    phase,
    endedAtMs: atMs,
    microphone: microphone.is === "failed" ? microphone : { is: "off" },
    isTalkingMuted: false,
    quality: undefined,
    roundTripMs: undefined,
    cameBack: undefined,
  };
}
