import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { CALL_EVENTS_STREAM, type CallEvent } from "@parley/shared/contracts/call-events.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import {
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { expect, it } from "vitest";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { EventFeed } from "../../subscriptions/event-feed.ts";
import { EventProjector } from "./event-projector.ts";
import { HeldItems } from "./items.ts";

const BATCH = 200;
const MAX_HELD = 5_000;

class RefusingDriver extends DummyDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    const refusal = Object.assign(new Error("permission denied"), { code: "42501" });
    return Object.assign(connection, { executeQuery: () => Promise.reject(refusal) });
  }
}

const refusing: Database = {
  kind: "postgres",
  ping: async () => undefined,
  close: async () => undefined,
  db: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new RefusingDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};

const dtmf = (seq: number): CallEvent => ({
  id: `evt_${seq}`,
  sessionId: "ses_1",
  orgId: "org_1",
  at: "2026-11-22T10:00:00.000Z",
  seq,
  type: "call.dtmf",
  digit: "1",
});

it("gives what is due in batches that a statement can hold", () => {
  const held = new HeldItems();
  for (let seq = 0; seq < 500; seq++) {
    const entry = { entryId: String(seq), payload: "", deliveries: 0 };
    held.hold({ entry, event: dtmf(seq), tries: 1, looks: 0 }, seq);
  }
  expect([1, 2, 3, 4].map(() => held.takeDue(450, BATCH).length)).toEqual([200, 200, 51, 0]);
  expect(held.dueInMs(450)).toBe(1);
});

it("leaves in the stream what a database that refuses everything cannot take", async () => {
  const clock = new ManualClock();
  const bus = createMemoryBus({ clock });
  const log = createLogger({ level: "silent", format: "json", name: "test" });
  for (let seq = 0; seq < MAX_HELD + 5 * BATCH; seq++)
    await bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(dtmf(seq)));
  let handedOut = 0;
  const streams: typeof bus.streams = Object.create(bus.streams, {
    read: {
      value: async (...args: Parameters<typeof bus.streams.read>) => {
        const entries = await bus.streams.read(...args);
        handedOut += entries.length;
        return entries;
      },
    },
  });
  const projector = new EventProjector({
    stream: CALL_EVENTS_STREAM,
    bus: { ...bus, streams },
    feed: new EventFeed({ clock }),
    database: refusing,
    clock,
    log,
    metrics: createMetrics(),
  });
  projector.start();
  await expect.poll(() => handedOut).toBeGreaterThanOrEqual(MAX_HELD);
  // Its next step would be to read; it waits for what it holds instead.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(handedOut).toBe(MAX_HELD);
  let hasStopped = false;
  void projector.stop().then(() => {
    hasStopped = true;
  });
  await expect
    .poll(() => {
      clock.advance(1_000);
      return hasStopped;
    })
    .toBe(true);
  await bus.close();
});
