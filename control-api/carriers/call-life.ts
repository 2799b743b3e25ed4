/** Where a call is in its life; the last five are ends. */
export const CALL_STATUSES = [
  "queued",
  "ringing",
  "in-progress",
  "completed",
  "failed",
  "no-answer",
  "busy",
  "canceled",
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** What happens to a call: the carrier's word, the gateway's (`media`: audio flows), or ours. */
export const LIFE_EVENTS = [
  "rings",
  "media",
  "hangs up",
  "is busy",
  "does not answer",
  "fails",
  "is withdrawn",
] as const;
export type LifeEvent = (typeof LIFE_EVENTS)[number];

const ENDS = {
  "is busy": "busy",
  "does not answer": "no-answer",
  fails: "failed",
  "is withdrawn": "canceled",
} as const;

/** Every transition there is; what is not here changes nothing. */
const LIFE: Readonly<Record<CallStatus, Readonly<Partial<Record<LifeEvent, CallStatus>>>>> = {
  // A call that was hung up before anybody could speak was not answered.
  queued: { rings: "ringing", media: "in-progress", "hangs up": "no-answer", ...ENDS },
  ringing: { media: "in-progress", "hangs up": "no-answer", ...ENDS },
  "in-progress": { "hangs up": "completed", fails: "failed" },
  completed: {},
  failed: {},
  "no-answer": {},
  busy: {},
  canceled: {},
};

/** The next status; the same one when the event means nothing there. */
export function nextStatus(status: CallStatus, event: LifeEvent): CallStatus {
  return LIFE[status][event] ?? status;
}

export function isOver(status: CallStatus): boolean {
  return Object.keys(LIFE[status]).length === 0;
}

/** Where the transfer of a live call is; `none` before one, and after one that came to nothing. */
export const TRANSFER_STATES = ["none", "ringing", "briefing", "joining", "joined"] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** What happens to a transfer. A blind one knows three of these; a warm one is answered and briefed in between. */
export const TRANSFER_EVENTS = [
  "is asked for",
  "is answered",
  "is briefed",
  "is joined",
  "comes to nothing",
] as const;
export type TransferEvent = (typeof TRANSFER_EVENTS)[number];

/** Every transition there is; what is not here changes nothing. */
const TRANSFER: Readonly<Record<TransferState, Readonly<Partial<Record<TransferEvent, TransferState>>>>> = {
  none: { "is asked for": "ringing" },
  ringing: {
    "is answered": "briefing",
    // Who says that it is over need not have said that it began.
    "is briefed": "joining",
    "is joined": "joined",
    "comes to nothing": "none",
  },
  briefing: { "is briefed": "joining", "comes to nothing": "none" },
  joining: { "is joined": "joined", "comes to nothing": "none" },
  joined: {},
};

/** The next state of a transfer; the same one when the event means nothing there. */
export function nextTransferState(state: TransferState, event: TransferEvent): TransferState {
  return TRANSFER[state][event] ?? state;
}

/** The states from which an event leads to another one. */
export function transferStatesBefore(event: TransferEvent): readonly TransferState[] {
  return TRANSFER_STATES.filter((state) => nextTransferState(state, event) !== state);
}
