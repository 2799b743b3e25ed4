/**
 * `queued`, then `sending` while WhatsApp is asked; `unknown`: it may have taken the message, and it is not sent again. From
 * `sent` on it is what WhatsApp says.
 */
export const OUTBOUND_STATES = [
  "queued",
  "sending",
  "unknown",
  "sent",
  "delivered",
  "read",
  "played",
  "failed",
] as const;
export type OutboundState = (typeof OUTBOUND_STATES)[number];

/** What each state may become; a status may overtake the answer to the request, and skip others. */
const NEXT: Readonly<Record<OutboundState, readonly OutboundState[]>> = {
  queued: ["sending", "failed"],
  sending: ["queued", "unknown", "sent", "delivered", "read", "played", "failed"],
  unknown: ["sent", "delivered", "read", "played", "failed"],
  sent: ["delivered", "read", "played", "failed"],
  delivered: ["read", "played"],
  read: ["played"],
  played: [],
  failed: [],
};

const isOutboundState = (state: string): state is OutboundState => Object.hasOwn(NEXT, state);

/** Whether a message in one state may get into the other; false for what is no state. */
export function mayBecome(state: string, next: string): boolean {
  return isOutboundState(state) && isOutboundState(next) && NEXT[state].includes(next);
}

/** What WhatsApp says of messages. */
const TOLD: readonly OutboundState[] = ["sent", "delivered", "read", "played", "failed"];

/** Whether a status is news after what was told before; undefined: nothing was. */
export function isNews(told: string | undefined, status: string): boolean {
  if (!TOLD.some((known) => known === status)) return false;
  return told === undefined || mayBecome(told, status);
}
