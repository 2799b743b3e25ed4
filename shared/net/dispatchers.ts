import type { Dispatcher } from "undici";

export type { Dispatcher };

/** Dispatchers per organization, so that no organization waits for another's connections. */
export interface Dispatchers {
  /** Returns a dispatcher for one request. Do not keep it: unused dispatchers are closed after a while. */
  of(orgId: string): Dispatcher;
}
