import type { Dispatcher } from "undici";

export type { Dispatcher };

/** Ways out, one an organization: its connections are never waited for by another. */
export interface Dispatchers {
  /** For one request; not to be kept, as those that nobody asks for are closed after a while. */
  of(orgId: string): Dispatcher;
}
