import { buildIndexes } from "@parley/control-api/database/build-indexes.ts";
import { type Database, type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { readCallOutcomes } from "@parley/control-api/records/analytics/outcomes.ts";
import { readCallAnalytics } from "@parley/control-api/records/analytics/period.ts";
import { rollUpDays } from "@parley/control-api/records/analytics/roll-up.ts";
import { listCalls } from "@parley/control-api/records/calls/list-store.ts";
import { eraseOverdue } from "@parley/control-api/records/recordings/erase-overdue.ts";
import { listRecordings } from "@parley/control-api/records/recordings/list-store.ts";
import { findOverdueCalls, readOverdueMs } from "@parley/control-api/records/recordings/overdue-store.ts";
import type { StoredFiles } from "@parley/control-api/records/recordings/stored-files.ts";
import { CALL_LISTS, periodsUntil, RECORDING_LISTS } from "@parley/loadtest/lists/cases.ts";
import { fillCalls, LARGE_ORG } from "@parley/loadtest/lists/fill-calls.ts";
import { fillCounts } from "@parley/loadtest/lists/fill-counts.ts";
import { explain, rowsRead, rowsReadForNothing, scannedTables } from "@parley/loadtest/lists/plans.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eraseContent } from "../testkit/erase-content.ts";
import { needs } from "../testkit/needs.ts";
import { createTestDatabase } from "../testkit/postgres.ts";

/** So many that the planner takes an index where it would with a million, and the table is filled in seconds. */
const CALLS = 20_000;
/** Of the newest calls, by a search for a number. */
const LOOKED_THROUGH = 10_000;
/** Tables with a row for each call or more. */
const LARGE = new Set(["calls", "call_messages", "call_words", "recordings"]);

/** Of calls of 92 days; today is the last of them. */
const COUNTED = 10_000;
const COUNTED_TO = new Date("2026-01-01T00:00:00Z");
const COUNTED_TABLES = new Set([
  "call_counts",
  "response_counts",
  "call_tallies",
  "call_figures",
  "word_figures",
]);

describe.runIf(needs("postgres"))("figures of many calls", () => {
  let databases: Databases;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = made.drop;
    databases = await openDatabase({ databaseUrl: made.url });
    await databases.unbounded(async ({ db }) => {
      await fillCounts(db, { calls: COUNTED, to: COUNTED_TO, say: () => undefined });
    });
    await rollUpDays({ database: databases, clock: new ManualClock(COUNTED_TO.getTime() - 3_600_000) });
    await sql`analyze call_figures, word_figures`.execute(databases.db);
  }, 120_000);
  afterAll(async () => {
    await databases.close();
    await drop();
  });

  it.each(periodsUntil(COUNTED_TO))("of %s read no counts from end to end", async (_name, period) => {
    const explained = await explain(databases.reads.db, async (db) => {
      await readCallAnalytics(db, LARGE_ORG, period);
      await readCallOutcomes(db, LARGE_ORG, period);
    });
    expect(explained.flatMap(scannedTables).filter((table) => COUNTED_TABLES.has(table))).toEqual([]);
    // What is read of days that are rolled up is not their counts: those of today and of a part of the first are.
    const counted = explained.filter(({ plan }) =>
      plan.some((line) => line.includes("response_counts_pkey")),
    );
    expect(Math.max(0, ...counted.map(rowsRead))).toBeLessThan(0.05 * COUNTED * 20);
  });

  it("of whole days read what is summed by day, and no quarter hours", async () => {
    const period = new Map(periodsUntil(COUNTED_TO)).get("90 days");
    if (!period) throw new Error("there is no such period");
    const explained = await explain(databases.reads.db, (db) => readCallAnalytics(db, LARGE_ORG, period));
    const summed = explained.filter(({ sql: text }) => text.includes("call_figures"));
    expect(summed).toHaveLength(4);
    // A row for each day and agent at most.
    expect(Math.max(...summed.map(rowsRead))).toBeLessThanOrEqual(89 * 20);
  });
});

describe.runIf(needs("postgres"))("lists and searches over many calls", () => {
  let databases: Databases;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = made.drop;
    databases = await openDatabase({ databaseUrl: made.url });
    await databases.unbounded(async ({ db }) => {
      await fillCalls(db, { calls: CALLS, smallOrgs: 10, say: () => undefined });
    });
    await buildIndexes(databases);
  }, 120_000);
  afterAll(async () => {
    await databases.close();
    await drop();
  });

  async function readsAll(work: (database: Database) => Promise<unknown>): Promise<string[]> {
    const { background } = databases;
    const explained = await explain(background.db, (db) => work({ ...background, db }));
    expect(explained.length).toBeGreaterThan(0);
    expect(Math.max(...explained.map(rowsReadForNothing))).toBeLessThanOrEqual(LOOKED_THROUGH);
    return explained.flatMap(scannedTables).filter((table) => LARGE.has(table));
  }

  it.each(CALL_LISTS)("of calls, %s, read no table from end to end", async (_name, query) => {
    expect(await readsAll((database) => listCalls(database, LARGE_ORG, query))).toEqual([]);
  });

  it.each(RECORDING_LISTS)("of recordings, %s, read no table from end to end", async (_name, query) => {
    expect(await readsAll((database) => listRecordings(database, LARGE_ORG, query))).toEqual([]);
  });

  it.each([0, 30])(
    "of calls that are too old, with %i days, read no table from end to end",
    async (defaultDays) => {
      const retention = { now: new Date(), defaultDays };
      expect(
        await readsAll((database) => findOverdueCalls(database, { ...retention, limit: 100, except: [] })),
      ).toEqual([]);
      expect(await readsAll((database) => readOverdueMs(database, retention))).toEqual([]);
    },
  );

  it("find by the index what is too rare to be among the newest calls, page after page", async () => {
    const texts = ["ORDER 4711", "order 47"];
    const [one, some] = await Promise.all(
      texts.map((text) => listCalls(databases.reads, LARGE_ORG, { limit: 100, text })),
    );
    expect(one).toHaveLength(1);
    const first = await listCalls(databases.reads, LARGE_ORG, { limit: 40, text: "order 47" });
    const before = first.at(-1)?.id ?? "";
    const rest = await listCalls(databases.reads, LARGE_ORG, { limit: 100, text: "order 47", before });
    expect([...first, ...rest].map(({ id }) => id).slice(0, 100)).toEqual(some?.map(({ id }) => id));
    expect(await listCalls(databases.reads, LARGE_ORG, { limit: 5, text: "zz" })).toEqual([]);
  });

  it("delete what is too old until nothing is due, once, though two processes begin together", async () => {
    const { db } = databases;
    await sql`update organizations set recording_retention_days = 30 where id = 'org_small1'`.execute(db);
    const deleted: string[] = [];
    const recordings = { delete: async (key: string) => void deleted.push(key) } as unknown as StoredFiles;
    const log = createLogger({ level: "silent", format: "json", name: "test" });
    const metrics = createMetrics();
    const reap = (database: Database) =>
      eraseOverdue({ eraseContent, database, recordings, clock: systemClock, log, metrics, defaultDays: 0 });
    expect(await readOverdueMs(databases.reads, { now: new Date(), defaultDays: 0 })).toBeGreaterThan(0);
    await Promise.all([reap(databases.background), reap(databases.background)]);
    const { rows } = await sql<{ calls: number; left: number }>`select count(*)::int as calls,
      count(*) filter (where content_deleted_at is null)::int as left from calls where org_id = 'org_small1'`.execute(
      db,
    );
    const { calls = 0, left } = rows[0] ?? {};
    expect(calls).toBeGreaterThan(500);
    expect({ left, deleted: deleted.length, distinct: new Set(deleted).size }).toEqual({
      left: 0,
      deleted: calls,
      distinct: calls,
    });
    expect(await metrics.text()).toMatch(new RegExp(`parley_retention_deleted_total ${calls}\\n`));
    expect(await metrics.text()).toContain("parley_retention_overdue_seconds 0");
    const kept =
      await sql`select from calls where content_deleted_at is not null and org_id <> 'org_small1'`.execute(
        db,
      );
    expect(kept.rows).toEqual([]);
  });
});
