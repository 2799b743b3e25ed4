import type { Clock } from "@parley/shared/clock.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { sql } from "kysely";
import { type Failure, failureOf } from "../../database/failures.ts";
import type { Database } from "../../database/open.ts";
import type { EventFeed } from "../../subscriptions/event-feed.ts";
import { type Applied, applyEvents, type EndRule, isCounted } from "./apply-events.ts";
import type { Item } from "./items.ts";

/**
 * Tries of a batch blocked by another writer. A persistent block may concern a single event, and the others must not
 * wait for it.
 */
const MAX_AT_ONCE = 5;
/** How long a batch waits for a locked row: much longer than writing one takes. */
const LOCK_WAIT_MS = 3_000;

export type Written =
  /** With the position in the feed of the last event that was recorded. */
  | ({ readonly kind: "written"; readonly position: number } & Applied)
  /** Nothing was written; `away` never concerns the events themselves. */
  | { readonly kind: "failed"; readonly failure: Exclude<Failure, "again">; readonly error: unknown };

/** Decides which ends nobody waits for any more, and which must wait whatever the database knows. */
export interface EndRules {
  readonly isPatienceOver: (item: Item) => boolean;
  readonly isHeldUp: (item: Item) => boolean;
}

export interface BatchDeps {
  readonly database: Database;
  readonly feed: Pick<EventFeed, "append">;
  readonly clock: Pick<Clock, "wallMs">;
  /** How long to wait for each locked row; defaults to three seconds. */
  readonly lockWaitMs?: number | undefined;
}

/** Writes the events of a batch and what follows from them, all or none. Never throws. */
export async function writeBatch(
  items: readonly Item[],
  rules: EndRules,
  { database, feed, clock, lockWaitMs = LOCK_WAIT_MS }: BatchDeps,
): Promise<Written> {
  const itemOf = new Map(items.map((item) => [item.event.id, item]));
  const ruleOf = (end: CallEvent): EndRule => {
    const item = itemOf.get(end.id);
    if (!item || rules.isPatienceOver(item)) return "now";
    return !isCounted(end) && rules.isHeldUp(item) ? "later" : "complete";
  };
  for (let tries = 1; ; tries++) {
    try {
      return await database.db.transaction().execute(async (trx) => {
        await sql`select set_config('lock_timeout', ${String(lockWaitMs)}, true)`.execute(trx);
        const applied = await applyEvents(
          trx,
          items.map(({ event }) => event),
          { now: new Date(clock.wallMs()), ruleOf },
        );
        const position = await feed.append(trx, applied.recorded);
        return { kind: "written", position, ...applied } as const;
      });
    } catch (error) {
      const failure = failureOf(error);
      if (failure !== "again") return { kind: "failed", failure, error };
      if (tries >= MAX_AT_ONCE) return { kind: "failed", failure: "unclear", error };
    }
  }
}
