import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** A call event as it was written down, and when. */
export interface Recorded<T extends CallEvent["type"] = CallEvent["type"]> {
  readonly event: Extract<CallEvent, { type: T }>;
  readonly recordedAt: Date;
}

/** What is done once the transaction is committed, for speed only: a process may die before it. Never throws. */
export type AfterCommit = () => void;

/** A district that wants to know what was recorded; every event reaches it, whichever process dies (docs/decisions/subscriptions.md). */
export interface Subscription {
  /** Its cursor's, in snake_case: under another name it begins anew, with what is recorded from then on. */
  readonly name: string;
  /** Of these types. */
  readonly types: readonly CallEvent["type"][];
  /**
   * Does what follows from the events, in their order, in the transaction that moves the cursor past them: what it writes is
   * written once for each. Uses `trx` and no other connection, and asks nobody outside of the database: what does is put into a
   * job. An event with which it throws is tried again by itself, as a job, while the others go on.
   */
  handle(trx: Kysely<Tables>, events: readonly Recorded[]): Promise<AfterCommit | undefined>;
}
