import { STANDARD_BUDGETS } from "@parley/shared/config/budgets.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BlackHole } from "../../testkit/black-hole.ts";
import { needs } from "../../testkit/needs.ts";
import { createEmptyDatabase } from "../../testkit/postgres.ts";
import { type Databases, openDatabase } from "./open.ts";

/** Two connections, and the least that a silent one is waited for: two seconds. */
const TWO = { connections: 2, waitMs: 4_000, statementTimeoutMs: 100, settings: {} };

describe.runIf(needs("postgres"))("connections to Postgres that fall silent", () => {
  let hole: BlackHole;
  let database: Databases;
  let clock: ManualClock;
  let drop: () => Promise<void>;
  const heard: string[] = [];
  beforeAll(async () => {
    const made = await createEmptyDatabase();
    drop = made.drop;
    hole = await BlackHole.before(made.url);
  });
  afterAll(async () => {
    await hole.close();
    await drop();
  });
  beforeEach(async () => {
    heard.length = 0;
    clock = new ManualClock();
    database = await openDatabase({
      databaseUrl: hole.url,
      budgets: { ...STANDARD_BUDGETS, calls: TWO },
      clock,
      onBroken: ({ message }) => heard.push(message),
    });
  });
  afterEach(async () => {
    // Its own second is over before anybody waits for it.
    const closed = database.close();
    clock.advance(2_000);
    await closed;
  });

  const useBoth = () => Promise.all([database.ping(), database.ping()]);

  it("fail what they were used for, and take along those that have been silent as long", async () => {
    await useBoth();
    hole.swallow();
    await expect(database.ping()).rejects.toMatchObject({ code: "unavailable" });
    await expect(useBoth()).resolves.toBeDefined();
    expect(heard).toEqual(["Query read timeout"]);
  });

  it("are asked first when nobody has heard of them for a second, so that their user notices nothing", async () => {
    await useBoth();
    hole.swallow();
    clock.advance(1_000);
    await expect(database.ping()).resolves.toBeUndefined();
    expect(heard).toEqual(["Query read timeout"]);
  });

  it("end a transaction at once, also where it would go on", async () => {
    const transaction = database.db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      hole.swallow();
      await sql`select 1`.execute(trx).catch(() => undefined);
      await sql`select 2`.execute(trx);
    });
    await expect(transaction).rejects.toMatchObject({ code: "unavailable" });
    await expect(database.ping()).resolves.toBeUndefined();
  });

  it("do not keep the pool from being closed", async () => {
    const reads = database.reads.db;
    await database.reads.ping();
    hole.swallow();
    const hanging = sql`select 1`.execute(reads);
    const failed = expect(hanging).rejects.toThrow();
    const closed = database.close();
    clock.advance(2_000);
    await closed;
    await failed;
  });

  it("are told from a statement that the server gave up", async () => {
    await expect(sql`select pg_sleep(1)`.execute(database.db)).rejects.toMatchObject({
      code: "deadline_exceeded",
    });
    expect(heard).toEqual([]);
  });
});
