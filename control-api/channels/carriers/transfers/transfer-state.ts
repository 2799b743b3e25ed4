/** Where the transfer of a live call is; `none` before one, and after one that came to nothing. `briefing`: the whisper is heard. */
export const TRANSFER_STATES = ["none", "ringing", "briefing", "joining", "joined"] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** What happens to a transfer. A blind one knows three of these; a warm one is answered and hears the whisper in between. */
export const TRANSFER_EVENTS = [
  "is asked for",
  "is answered",
  "has heard the whisper",
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
    "has heard the whisper": "joining",
    "is joined": "joined",
    "comes to nothing": "none",
  },
  briefing: { "has heard the whisper": "joining", "comes to nothing": "none" },
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
