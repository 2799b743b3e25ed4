/**
 * `queued`, then `sending` while WhatsApp is asked. `unknown`: WhatsApp may have accepted the message, so it is not
 * resent. From `sent` on, the status is WhatsApp's.
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

/** Transitions of each state; a status may overtake the response to the request, and skip states. */
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

/** Whether a message may move from one state to another; false for unknown states. */
export function mayBecome(state: string, next: string): boolean {
  return isOutboundState(state) && isOutboundState(next) && NEXT[state].includes(next);
}

/** Statuses that WhatsApp reports. */
const TOLD: readonly OutboundState[] = ["sent", "delivered", "read", "played", "failed"];

/** Whether a status advances on the last one reported; undefined: none was. */
export function isNews(told: string | undefined, status: string): boolean {
  if (!TOLD.some((known) => known === status)) return false;
  return told === undefined || mayBecome(told, status);
}
