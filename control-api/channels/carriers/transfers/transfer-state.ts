/** State of a live call's transfer; `none` before one and after a failure. `briefing`: the target hears the whisper. */
export const TRANSFER_STATES = ["none", "ringing", "briefing", "joining", "joined"] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** Events of a transfer. Three of them apply to a blind transfer; the others only to a warm one. */
export const TRANSFER_EVENTS = [
  "is asked for",
  "is answered",
  "has heard the whisper",
  "is joined",
  "comes to nothing",
] as const;
export type TransferEvent = (typeof TRANSFER_EVENTS)[number];

/** All transitions; any other event changes nothing. */
const TRANSFER: Readonly<Record<TransferState, Readonly<Partial<Record<TransferEvent, TransferState>>>>> = {
  none: { "is asked for": "ringing" },
  ringing: {
    "is answered": "briefing",
    // An end event can arrive without its start event.
    "has heard the whisper": "joining",
    "is joined": "joined",
    "comes to nothing": "none",
  },
  briefing: { "has heard the whisper": "joining", "comes to nothing": "none" },
  joining: { "is joined": "joined", "comes to nothing": "none" },
  joined: {},
};

/** The next state of a transfer; unchanged if the event has no meaning in this state. */
export function nextTransferState(state: TransferState, event: TransferEvent): TransferState {
  return TRANSFER[state][event] ?? state;
}

/** The states in which an event causes a transition. */
export function transferStatesBefore(event: TransferEvent): readonly TransferState[] {
  return TRANSFER_STATES.filter((state) => nextTransferState(state, event) !== state);
}
