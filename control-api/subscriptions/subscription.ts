import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** A recorded call event, and when it was recorded. */
export interface Recorded<T extends CallEvent["type"] = CallEvent["type"]> {
  readonly event: Extract<CallEvent, { type: T }>;
  readonly recordedAt: Date;
}

/** Runs after the commit, only as an optimization, since a process may die before. Never throws. */
export type AfterCommit = () => void;

/** A district's interest in recorded events; none is lost if a process dies (docs/decisions/subscriptions.md). */
export interface Subscription {
  /** Name of its cursor, in snake_case: renaming it starts over with events recorded from then on. */
  readonly name: string;
  /** The event types it handles. */
  readonly types: readonly CallEvent["type"][];
  /**
   * Handles events in order, in the transaction that advances the cursor past them, so that its writes happen once per
   * event. Uses `trx` and no other connection, and calls nothing outside the database: that belongs in a job. If an
   * event makes it throw, that event is retried alone as a job, while the others proceed.
   */
  handle(trx: Kysely<Tables>, events: readonly Recorded[]): Promise<AfterCommit | undefined>;
}
