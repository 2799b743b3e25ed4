import { STANDARD_BUDGETS } from "@parley/shared/config/budgets.ts";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { keepCall } from "../../testkit/kept-call.ts";
import { needs } from "../../testkit/needs.ts";
import { PgBouncer } from "../../testkit/pgbouncer.ts";
import { createEmptyDatabase, createTestDatabase } from "../../testkit/postgres.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";
import { buildIndexes } from "./build-indexes.ts";
import { tryExclusively } from "./exclusively.ts";
import { LONG_INDEXES } from "./long-indexes.ts";
import { migrateToLatest } from "./migrate.ts";
import { type Database, type Databases, openDatabase } from "./open.ts";

/** Fewer than one of our pools has, so that each serves whoever is next. */
const CONNECTIONS = 2;

describe.runIf(needs("postgres") && needs("pgbouncer"))("behind a pooler with transaction pooling", () => {
  let pooler: PgBouncer;
  let urls: { databaseUrl: string; directUrl: string };
  let database: Databases;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = made.drop;
    pooler = await PgBouncer.before(made.url, { connections: CONNECTIONS });
    urls = { databaseUrl: pooler.url, directUrl: made.url };
    database = await openDatabase(urls);
  });
  afterAll(async () => {
    await database.close();
    await pooler.remove();
    await drop();
  });

  const setting = async ({ db }: Pick<Database, "db">, name: string): Promise<string | undefined> =>
    (await sql<{ is: string }>`select current_setting(${name}) as is`.execute(db)).rows[0]?.is;

  it("every statement has the settings of its pool, in a transaction and outside, and leaves none behind", async () => {
    const pools = [database, database.reads, database.background];
    const inOne = (pool: Database, name: string) =>
      pool.db.transaction().execute((db) => setting({ db }, name));
    for (const read of [setting, inOne]) {
      const seqscans = await Promise.all(pools.map((pool) => read(pool, "enable_seqscan")));
      expect(seqscans).toEqual(["on", "on", "off"]);
      const timeouts = await Promise.all(pools.map((pool) => read(pool, "statement_timeout")));
      expect(timeouts).toEqual(["10s", "5s", "30s"]);
      expect(new Set(await Promise.all(pools.map((pool) => read(pool, "jit"))))).toEqual(new Set(["off"]));
    }
    const stranger = new pg.Client({ connectionString: pooler.url });
    await stranger.connect();
    onTestFinished(() => stranger.end());
    const { rows } = await stranger.query(
      "select current_setting('enable_seqscan') as seqscan, current_setting('statement_timeout') as timeout",
    );
    expect(rows).toEqual([{ seqscan: "on", timeout: "0" }]);
  });

  it("a statement that takes too long is canceled by the server, and its connection serves the next", async () => {
    const reads = { ...STANDARD_BUDGETS.reads, statementTimeoutMs: 100 };
    const budgets = { ...STANDARD_BUDGETS, reads };
    const hasty = await openDatabase({ ...urls, budgets });
    onTestFinished(() => hasty.close());
    await expect(sql`select pg_sleep(30)`.execute(hasty.reads.db)).rejects.toMatchObject({
      code: "deadline_exceeded",
    });
    await expect(hasty.reads.ping()).resolves.toBeUndefined();
  });

  it("a statement that fails takes nothing along, nor does one that was prepared by name meet another", async () => {
    await sql`create table once (id int primary key)`.execute(database.db);
    const insert = () => sql`insert into once values (1)`.execute(database.db);
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: "23505" });
    const named = (id: number) =>
      sql<{ id: number }>`-- prepared: a-name
        select ${id}::int as id`.execute(database.background.db);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, id) => named(id)));
    expect(answers.map(({ rows }) => rows[0]?.id)).toEqual(Array.from({ length: 20 }, (_, id) => id));
  });

  it("what one process does at a time is done by one, on connections of its own, while others work", async () => {
    const other = await openDatabase(urls);
    onTestFinished(() => other.close());
    const times: boolean[] = [];
    await tryExclusively(database.background, "delete-overdue", async () => {
      await Promise.all(Array.from({ length: 10 }, () => database.background.ping()));
      times.push(await tryExclusively(other.background, "delete-overdue", async () => undefined));
    });
    times.push(await tryExclusively(other.background, "delete-overdue", async () => undefined));
    expect(times).toEqual([false, true]);
  });

  it("the start without a way around it ends with the setting that is missing", async () => {
    const lone = await openDatabase({ databaseUrl: pooler.url });
    onTestFinished(() => lone.close());
    const migrating = lone.unbounded(({ db }) => migrateToLatest(db));
    await expect(migrating).rejects.toThrow(/unsupported startup parameter.*set DATABASE_DIRECT_URL/);
  });

  it("migrations and long indexes go around it", async () => {
    const own = await createEmptyDatabase();
    const before = await PgBouncer.before(own.url, { connections: CONNECTIONS });
    const fresh = await openDatabase({ databaseUrl: before.url, directUrl: own.url });
    onTestFinished(async () => {
      await fresh.close();
      await before.remove();
      await own.drop();
    });
    await fresh.unbounded(({ db }) => migrateToLatest(db));
    expect(await buildIndexes(fresh)).toEqual(LONG_INDEXES.map(({ name }) => name));
  });

  it("a control API answers, records a call, and delivers its webhooks", async () => {
    const env = { DATABASE_URL: urls.databaseUrl, DATABASE_DIRECT_URL: urls.directUrl };
    const hooks = await TestWebhooks.start({ databaseUrl: urls.databaseUrl, env });
    onTestFinished(() => hooks.api.close());
    const acme = await hooks.api.createOrganization();
    const { receiver } = await hooks.endpoint(acme, { events: ["call.ended"] });
    const { sessionId } = await keepCall(hooks.api, acme);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(receiver.received[0]?.body).toContain(sessionId);
    const key = acme.keys.owner;
    const list = await hooks.api.call("GET", `/api/orgs/${acme.orgId}/calls`, { key });
    expect(list.text).toContain(sessionId);
  });
});
