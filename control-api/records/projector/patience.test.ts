import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { DEAD_EVENTS_STREAM, MAX_DEAD_EVENTS } from "@parley/shared/contracts/dead-events.ts";
import { AppError } from "@parley/shared/errors.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { expect, it } from "vitest";
import { failureOf } from "../../database/failures.ts";
import { openDatabase } from "../../database/open.ts";
import { EventFeed } from "../../subscriptions/event-feed.ts";
import { EventProjector } from "./event-projector.ts";
import { EventProjectors } from "./event-projectors.ts";
import type { Item } from "./items.ts";
import { isPatienceOver, lookAgainInMs } from "./patience.ts";

it("waits for what is missing twice as long as it takes to take over a dead event projector's events, and no longer", () => {
  let waitedMs = 0;
  let looks = 0;
  for (; !isPatienceOver({ looks } as Item); looks++) waitedMs += lookAgainInMs(looks);
  expect(waitedMs).toBeGreaterThan(20_000);
  expect(waitedMs).toBeLessThan(25_000);
  expect(lookAgainInMs(0)).toBeLessThan(50);
});

it.each([
  ["40P01", "again"],
  ["40001", "again"],
  ["57P01", "away"],
  ["53300", "away"],
  ["25006", "away"],
  ["ECONNREFUSED", "away"],
  ["EPIPE", "away"],
  ["22P05", "data"],
  ["23505", "data"],
  ["54001", "data"],
  ["55P03", "unclear"],
  ["57014", "unclear"],
  ["42P01", "unclear"],
  ["XX000", "unclear"],
])("takes an error %s for %s", (code, failure) => {
  expect(failureOf(Object.assign(new Error("refused"), { code }))).toBe(failure);
});

it("knows a statement that took too long under the words that a pool has for it", () => {
  const cause = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
  expect(failureOf(new AppError("deadline_exceeded", "The database took too long.", { cause }))).toBe(
    "unclear",
  );
});

it("takes an error of its own for the event's, and one without a code for a database that is away", () => {
  expect(failureOf(new RangeError("Invalid time value"))).toBe("data");
  expect(failureOf(new Error("Connection terminated unexpectedly"))).toBe("away");
});

it("tells how much waits while the database is away", async () => {
  const bus = createMemoryBus({ clock: systemClock });
  const clock = new ManualClock();
  const metrics = createMetrics();
  // Nothing listens on the port of this address.
  const database = await openDatabase({ databaseUrl: "postgres://nobody@127.0.0.1:1/none" });
  const log = createLogger({ level: "silent", format: "json", name: "test" });
  const about = { id: "evt_1", sessionId: "ses_1", orgId: "org_1", at: "2026-11-22T10:00:00.000Z" };
  for (let seq = 0; seq < 632; seq++) {
    const event = { ...about, id: `evt_${seq}`, seq, type: "call.dtmf", digit: "1" };
    await bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(event));
  }
  const projector = new EventProjectors({
    bus,
    database,
    clock,
    log,
    metrics,
    feed: new EventFeed({ clock }),
  });
  projector.start();
  await expect.poll(() => metrics.text()).toMatch(/parley_recorder_errors_total [1-9]/);
  clock.advance(5_000);
  await expect.poll(() => metrics.text()).toContain("parley_recorder_backlog 632");
  let hasStopped = false;
  void projector.stop().then(() => {
    hasStopped = true;
  });
  const moveOn = () => {
    clock.advance(1_000);
    return hasStopped;
  };
  await expect.poll(moveOn).toBe(true);
  await database.close();
  await bus.close();
});

it("keeps the newest of what it puts aside", async () => {
  const bus = createMemoryBus({ clock: systemClock });
  const metrics = createMetrics();
  const database = await openDatabase({ databaseUrl: "postgres://nobody@127.0.0.1:1/none" });
  const log = createLogger({ level: "silent", format: "json", name: "test" });
  for (let n = 0; n < MAX_DEAD_EVENTS; n++) await bus.streams.append(DEAD_EVENTS_STREAM, `older ${n}`);
  await bus.streams.append(CALL_EVENTS_STREAM, "no event at all");
  const projector = new EventProjector({
    stream: CALL_EVENTS_STREAM,
    bus,
    database,
    clock: systemClock,
    log,
    metrics,
    feed: new EventFeed({ clock: systemClock }),
  });
  projector.start();
  await expect.poll(() => metrics.text()).toContain("parley_recorder_dead_total 1");
  const kept = await bus.streams.list(DEAD_EVENTS_STREAM, { count: MAX_DEAD_EVENTS + 1 });
  expect(kept).toHaveLength(MAX_DEAD_EVENTS);
  expect(kept[0]?.payload).toBe("older 1");
  expect(kept.at(-1)?.payload).toContain("no event at all");
  await bus.close();
  await projector.stop();
  await database.close();
});
