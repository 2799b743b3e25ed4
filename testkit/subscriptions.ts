import { Writable } from "node:stream";
import type { Databases } from "@parley/control-api/database/open.ts";
import { JobQueue } from "@parley/control-api/jobs/queue.ts";
import { EventFeed } from "@parley/control-api/subscriptions/event-feed.ts";
import { openSubscriptions } from "@parley/control-api/subscriptions/module.ts";
import type { Subscription } from "@parley/control-api/subscriptions/subscription.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics, type Metrics } from "@parley/shared/metrics.ts";

export interface TestSubscriptions {
  readonly metrics: Metrics;
  readonly logged: readonly string[];
  readonly queue: JobQueue;
  readonly jobs: ReturnType<typeof openSubscriptions>["jobs"];
  /**
   * Records events as the event projector does; `isTold: false` simulates a process that dies before
   * announcing them.
   */
  record(events: readonly CallEvent[], options?: { isTold?: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a process's subscriptions. */
export async function startSubscriptions(
  subscriptions: readonly Subscription[],
  { database, clock }: { readonly database: Databases; readonly clock: Clock },
): Promise<TestSubscriptions> {
  const logged: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  const log = createLogger({ level: "debug", format: "json", name: "test", destination });
  const metrics = createMetrics();
  const { channels } = createMemoryBus({ clock: systemClock });
  const queue = new JobQueue({ clock, channels });
  const feed = new EventFeed({ clock });
  const module = openSubscriptions({
    database,
    clock,
    log,
    metrics,
    queue,
    feed,
    subscriptions: () => subscriptions,
  });
  await module.start();
  return {
    metrics,
    logged,
    queue,
    jobs: module.jobs,
    record: async (events, { isTold = true } = {}) => {
      const last = await database.db.transaction().execute(async (trx) => {
        const rows = events.map((event) => {
          const { id, sessionId, orgId, seq, type, at } = event;
          return { id, session_id: sessionId, org_id: orgId, seq, type, at, body: JSON.stringify(event) };
        });
        await trx.insertInto("call_events").values(rows).execute();
        return feed.append(trx, events);
      });
      if (isTold) feed.announce(events, last);
    },
    stop: () => module.stop(),
  };
}
