import { sql } from "kysely";
import { type Failure, failureOf } from "../../database/failures.ts";
import type { Database } from "../../database/open.ts";
import type { EventFeed } from "../../subscriptions/event-feed.ts";
import { type Applied, applyEvents, isCounted } from "./apply-events.ts";
import type { Item } from "./items.ts";

/**
 * Tries of a batch that another writer was in the way of. What goes on being in the way of it may be in the way of one
 * event, and the others must not wait for that.
 */
const MAX_AT_ONCE = 5;
/** How long a batch waits for a row that others have locked: much longer than writing one takes. */
const LOCK_WAIT_MS = 3_000;

export type Written =
  | ({ readonly kind: "written" } & Applied)
  /** None of it was; `away` is never about the events themselves. */
  | { readonly kind: "failed"; readonly failure: Exclude<Failure, "again">; readonly error: unknown };

/** Ends for which nobody waits any more, and ends that have to wait whatever the database knows. */
export interface EndRules {
  readonly isPatienceOver: (item: Item) => boolean;
  readonly isHeldUp: (item: Item) => boolean;
}

export interface BatchDeps {
  readonly database: Database;
  readonly feed: Pick<EventFeed, "append">;
  /** How long to wait for each row that others have locked; three seconds when absent. */
  readonly lockWaitMs?: number | undefined;
}

/** Writes the events of a batch, all or none, and what follows from them. Never throws. */
export async function writeBatch(
  items: readonly Item[],
  rules: EndRules,
  { database, feed, lockWaitMs = LOCK_WAIT_MS }: BatchDeps,
): Promise<Written> {
  const itemOf = new Map(items.map((item) => [item.event.id, item]));
  for (let tries = 1; ; tries++) {
    try {
      return await database.db.transaction().execute(async (trx) => {
        await sql`select set_config('lock_timeout', ${String(lockWaitMs)}, true)`.execute(trx);
        const applied = await applyEvents(
          trx,
          items.map(({ event }) => event),
          (end) => {
            const item = itemOf.get(end.id);
            if (!item || rules.isPatienceOver(item)) return "now";
            return !isCounted(end) && rules.isHeldUp(item) ? "later" : "complete";
          },
        );
        await feed.append(trx, applied.recorded);
        return { kind: "written", ...applied } as const;
      });
    } catch (error) {
      const failure = failureOf(error);
      if (failure !== "again") return { kind: "failed", failure, error };
      if (tries >= MAX_AT_ONCE) return { kind: "failed", failure: "unclear", error };
    }
  }
}
