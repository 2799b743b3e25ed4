import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startJobRunner } from "../../testkit/jobs.ts";
import { lentDatabase } from "../../testkit/lent-database.ts";
import { startSubscriptions, type TestSubscriptions } from "../../testkit/subscriptions.ts";
import type { Databases } from "../database/open.ts";
import type { JobRunner } from "../jobs/runner.ts";
import { deletePassed } from "./store.ts";
import type { Subscription } from "./subscription.ts";

const POLL_MS = 5_000;
const FIRST_RETRY_MS = 5_000;

let database: Databases;
let clock: ManualClock;
let processes: TestSubscriptions[];
let nr = 0;
beforeAll(async () => {
  database = await lentDatabase();
  await sql`create table told (by text not null, event_id text not null)`.execute(database.db);
});
afterAll(async () => {
  await sql`drop table told`.execute(database.db);
  await database.close();
});
beforeEach(() => {
  clock = new ManualClock();
  processes = [];
});
afterEach(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await sql`truncate told, event_feed, event_feed_head, event_cursors, call_events, jobs`.execute(
    database.db,
  );
});

/** A subscription that writes down what it is told. */
function noting(name = "noting", fails: (event: CallEvent) => unknown = () => undefined): Subscription {
  return {
    name,
    types: ["call.dtmf"],
    handle: async (trx, events) => {
      for (const { event } of events) {
        await sql`insert into told values (${name}, ${event.id})`.execute(trx);
        const error = fails(event);
        if (error !== undefined) throw error;
      }
      return undefined;
    },
  };
}

async function start(...subscriptions: Subscription[]): Promise<TestSubscriptions> {
  const started = await startSubscriptions(subscriptions, { database, clock });
  processes.push(started);
  return started;
}

const about = { orgId: "org_1", sessionId: "ses_1", at: "2026-11-22T10:00:00.000Z" };
function key(): CallEvent {
  nr += 1;
  return { ...about, id: `evt_key_${nr}`, seq: nr, type: "call.dtmf", digit: "1" };
}
const keys = (count: number): CallEvent[] => Array.from({ length: count }, key);
const idsOf = (events: readonly CallEvent[]): string[] => events.map(({ id }) => id);

async function told(by = "noting"): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select event_id as id from told where by = ${by}`.execute(
    database.db,
  );
  return rows.map(({ id }) => id);
}

it("tells each event once, in the order in which they were recorded, of the types that were asked for", async () => {
  const { record } = await start(noting());
  const first = keys(150);
  await record([
    ...first,
    { ...about, id: "evt_start", seq: 0, type: "call.started", nodeId: "nod_1", audio: "opus" },
  ]);
  const second = keys(3);
  await record(second);
  await expect.poll(() => told()).toEqual(idsOf([...first, ...second]));
});

it("begins with what is recorded after it was there for the first time", async () => {
  const early = await start(noting("early"));
  await early.record(keys(2));
  await expect.poll(() => told("early")).toHaveLength(2);
  const late = await start(noting("early"), noting("late"));
  const news = keys(1);
  await late.record(news);
  await expect.poll(() => told("late")).toEqual(idsOf(news));
});

it("goes on where a process that died left off, with what nobody told of", async () => {
  const dying = await start(noting());
  await dying.record(keys(1));
  await expect.poll(() => told()).toHaveLength(1);
  await dying.stop();
  await dying.record(keys(2), { isTold: false });
  await start(noting());
  await expect.poll(() => told()).toHaveLength(3);
});

it("finds at the next poll what nobody told of", async () => {
  const { record, metrics } = await start(noting());
  await record(keys(2), { isTold: false });
  clock.advance(POLL_MS);
  await expect.poll(() => told()).toHaveLength(2);
  expect(await metrics.text()).toContain('parley_subscription_lag{subscription="noting"} 2');
});

it("tells two processes of one subscription each event once", async () => {
  const [one, other] = [await start(noting()), await start(noting())];
  const events = Array.from({ length: 20 }, key);
  await Promise.all(events.map((event, i) => (i % 2 === 0 ? one : other).record([event])));
  await expect.poll(async () => (await told()).toSorted()).toEqual(idsOf(events).toSorted());
});

it("puts one event aside that cannot be handled, and tries it again as a job while the others go on", async () => {
  const events = keys(12);
  const poison = events[7]?.id;
  let isBroken = true;
  const subscription = noting("noting", ({ id }) =>
    isBroken && id === poison ? new TypeError("this cannot be handled") : undefined,
  );
  const started = await start(subscription);
  await started.record(events);
  const others = idsOf(events).filter((id) => id !== poison);
  await expect.poll(() => told()).toEqual(others);
  expect(started.logged.join("")).toContain("subscribed_event_put_aside");
  const runner = startJobRunner(started.jobs, { database, clock });
  await expect.poll(() => runner.logged.join("")).toContain("job_failed");
  isBroken = false;
  clock.advance(FIRST_RETRY_MS);
  await expect.poll(async () => (await told()).toSorted()).toEqual(idsOf(events).toSorted());
  await stopRunner(runner.runner);
});

it("keeps one subscription's failures from another", async () => {
  const { record } = await start(
    noting("failing", () => new RangeError("never")),
    noting("fine"),
  );
  const events = keys(3);
  await record(events);
  await expect.poll(() => told("fine")).toEqual(idsOf(events));
  await expect
    .poll(async () => (await database.db.selectFrom("jobs").select("kind").execute()).map(({ kind }) => kind))
    .toEqual(["retry_failing", "retry_failing", "retry_failing"]);
});

it("does not tell what was erased in the meantime, and goes on behind it", async () => {
  const { record } = await start(noting());
  const [erased, kept] = [key(), key()];
  await record([erased, kept], { isTold: false });
  await database.db.updateTable("call_events").set({ body: "{}" }).where("id", "=", erased.id).execute();
  clock.advance(POLL_MS);
  await expect.poll(() => told()).toEqual([kept.id]);
});

it("deletes from the feed what every subscription has passed", async () => {
  const { record } = await start(noting());
  await record(keys(5));
  await expect.poll(() => told()).toHaveLength(5);
  await deletePassed(database);
  expect(await database.db.selectFrom("event_feed").selectAll().execute()).toEqual([]);
  await record(keys(1));
  await expect.poll(() => told()).toHaveLength(6);
});

async function stopRunner(runner: JobRunner): Promise<void> {
  let isStopped = false;
  void runner.stop().then(() => {
    isStopped = true;
  });
  await expect
    .poll(() => {
      clock.advance(1_500);
      return isStopped;
    })
    .toBe(true);
}
