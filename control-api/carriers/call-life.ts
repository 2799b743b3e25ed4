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
