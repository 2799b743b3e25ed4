import type { Provider } from "../channels/provider.ts";
import type { ThreadRow } from "../threads/thread-store.ts";

/** How long a contact's last message keeps the window open. */
const WINDOW_MS = 24 * 3_600_000;
/** WhatsApp's error code for a closed window. */
export const WINDOW_CODE = 131_047;
export const INSTAGRAM_WINDOW_CLOSED =
  "The contact wrote more than 24 hours ago. On Instagram nothing can be sent until they write again.";
const WINDOW_CLOSED = "The contact wrote more than 24 hours ago. Only a template may be sent now.";

/** Explains why nothing may be sent after the window has closed, and what may. */
export function windowClosed(provider: Provider): string {
  return provider === "instagram" ? INSTAGRAM_WINDOW_CLOSED : WINDOW_CLOSED;
}

/** When the window closes; undefined before the contact has written. */
export function windowEndOf({ last_inbound_at: at }: Pick<ThreadRow, "last_inbound_at">): Date | undefined {
  return at === null ? undefined : new Date(at.getTime() + WINDOW_MS);
}

/** Whether messages other than templates may be sent. */
export function isWindowOpen(thread: Pick<ThreadRow, "last_inbound_at">, nowMs: number): boolean {
  return nowMs < (windowEndOf(thread)?.getTime() ?? Number.NEGATIVE_INFINITY);
}
