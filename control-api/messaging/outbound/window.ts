import type { ThreadRow } from "../threads/thread-store.ts";

/** The contact's last message opens the window for so long. */
const WINDOW_MS = 24 * 3_600_000;
/** WhatsApp's own code for it. */
export const WINDOW_CODE = 131_047;
export const WINDOW_CLOSED = "The contact wrote more than 24 hours ago. Only a template may be sent now.";

/** Until when anything may be sent; undefined before the contact has written. */
export function windowEndOf({ last_inbound_at: at }: Pick<ThreadRow, "last_inbound_at">): Date | undefined {
  return at === null ? undefined : new Date(at.getTime() + WINDOW_MS);
}

/** Whether anything but a template may be sent. */
export function isWindowOpen(thread: Pick<ThreadRow, "last_inbound_at">, nowMs: number): boolean {
  return nowMs < (windowEndOf(thread)?.getTime() ?? Number.NEGATIVE_INFINITY);
}
