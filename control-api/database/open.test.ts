import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { PgBouncer } from "../../testkit/pgbouncer.ts";
import { createEmptyDatabase } from "../../testkit/postgres.ts";
import { migrateToLatest } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { type Database, type Databases, openDatabase } from "./open.ts";

interface Opened {
  readonly database: Databases;
  /** Another one of the kind, to be closed by whoever asked for it. */
  reopen(): Promise<Database>;
  remove(): Promise<void>;
}

/** The suite both databases pass. */
function describeDatabase(open: () => Promise<Opened>) {
  let database: Databases;
  let remove: () => Promise<void>;
  let reopen: () => Promise<Database>;
  beforeAll(async () => {
    ({ database, remove, reopen } = await open());
  });
  afterAll(() => remove());

  it("migrates an empty database once, also when two processes start together", async () => {
    const migrate = () => database.unbounded(({ db }) => migrateToLatest(db));
    const names = await Promise.all([migrate(), migrate()]);
    expect(names.flat()).toEqual(Object.keys(MIGRATIONS));
    expect(await migrate()).toEqual([]);
  });

  it("gives the same values for the same columns", async () => {
    const { rows } = await sql`select 1::int as i, 9007199254740993::int8 as big, 1.50::numeric as num,
      '2026-03-01T10:00:00.123Z'::timestamptz as at, '2026-03-01'::date as day, true as yes,
      '{"a":[1,null]}'::jsonb as json, 'é🙂' as text, null::text as nothing`.execute(database.db);
    expect(rows).toEqual([
      {
        i: 1,
        big: "9007199254740993",
        num: "1.50",
        at: new Date("2026-03-01T10:00:00.123Z"),
        day: "2026-03-01",
        yes: true,
        json: { a: [1, null] },
        text: "é🙂",
        nothing: null,
      },
    ]);
  });

  it("gives the same values for intervals, lists and counts", async () => {
    const { rows } = await sql`select '1 day'::interval as pause, array['a,"b', null] as texts,
      array[1.50::numeric] as nums, array['2026-03-01'::date] as days, array[9007199254740993::int8] as bigs,
      count(*) as n from (values (1)) as v`.execute(database.db);
    expect(rows).toEqual([
      {
        pause: "1 day",
        texts: ['a,"b', null],
        nums: ["1.50"],
        days: ["2026-03-01"],
        bigs: ["9007199254740993"],
        n: "1",
      },
    ]);
  });

  it("takes the same values for parameters", async () => {
    const at = new Date("2026-03-01T10:00:00.123Z");
    const { rows } = await sql`select ${at}::timestamptz as at, ${9007199254740993n}::int8 as big,
      ${1.5}::numeric as num, ${JSON.stringify([1, { a: 2 }])}::jsonb as list, ${{ a: 1 }}::jsonb as object,
      'b' = any(${["a", "b"]}::text[]) as found, ${true}::bool as yes, ${null}::text as nothing`.execute(
      database.db,
    );
    expect(rows).toEqual([
      {
        at,
        big: "9007199254740993",
        num: "1.5",
        list: [1, { a: 2 }],
        object: { a: 1 },
        found: true,
        yes: true,
        nothing: null,
      },
    ]);
  });

  it("tells how many rows were touched", async () => {
    const { db } = database;
    const rows = ["a", "b"].map((id) => ({ id: `org_count_${id}`, name: "x", created_at: new Date() }));
    expect(await db.insertInto("organizations").values(rows).executeTakeFirst()).toMatchObject({
      numInsertedOrUpdatedRows: 2n,
    });
    const ours = db.deleteFrom("organizations").where("id", "like", "org_count_%");
    expect(await ours.executeTakeFirst()).toEqual({ numDeletedRows: 2n });
    expect(await ours.executeTakeFirst()).toEqual({ numDeletedRows: 0n });
  });

  it("carries out a hundred transactions that start together, each by itself", async () => {
    const { db } = database;
    await db
      .insertInto("organizations")
      .values({ id: "org_counter", name: "0", created_at: new Date() })
      .execute();
    const addOne = () =>
      db.transaction().execute(async (trx) => {
        const { name } = await trx
          .selectFrom("organizations")
          .select("name")
          .where("id", "=", "org_counter")
          .forUpdate()
          .executeTakeFirstOrThrow();
        await trx
          .updateTable("organizations")
          .set({ name: String(Number(name) + 1) })
          .where("id", "=", "org_counter")
          .execute();
      });
    await Promise.all(Array.from({ length: 100 }, addOne));
    const counter = await db
      .deleteFrom("organizations")
      .where("id", "=", "org_counter")
      .returning("name")
      .execute();
    expect(counter).toEqual([{ name: "100" }]);
  });

  it("never lets a query of somebody else slip into an open transaction", async () => {
    const { db } = database;
    const row = (id: string) => ({ id, name: "x", created_at: new Date() });
    let outside: Promise<unknown> = Promise.resolve();
    const rolledBack = db.transaction().execute(async (trx) => {
      await trx.insertInto("organizations").values(row("org_inside")).execute();
      outside = db.insertInto("organizations").values(row("org_outside")).execute();
      await sql`select 1`.execute(trx);
      throw new Error("roll back");
    });
    await expect(rolledBack).rejects.toThrow("roll back");
    await outside;
    const ids = await db.selectFrom("organizations").select("id").execute();
    expect(ids).toEqual([{ id: "org_outside" }]);
  });

  it("tells a violated constraint by its SQLSTATE and its name", async () => {
    const again = database.db
      .insertInto("organizations")
      .values({ id: "org_outside", name: "twice", created_at: new Date() })
      .execute();
    await expect(again).rejects.toMatchObject({ code: "23505", constraint: "organizations_pkey" });
  });

  it("answers a ping", async () => {
    await expect(database.ping()).resolves.toBeUndefined();
  });

  it("is closed for good when it was closed", async () => {
    const other = await reopen();
    await other.ping();
    await other.close();
    await expect(other.ping()).rejects.toThrow();
  });
}

describe("the embedded database", () => {
  describeDatabase(async () => {
    const database = await openDatabase({});
    return { database, reopen: () => openDatabase({}), remove: () => database.close() };
  });
});

describe.runIf(needs("postgres"))("Postgres", () => {
  describeDatabase(async () => {
    const { url, drop } = await createEmptyDatabase();
    const reopen = () => openDatabase({ databaseUrl: url });
    const database = await reopen();
    const remove = async (): Promise<void> => {
      await database.close();
      await drop();
    };
    return { database, reopen, remove };
  });

  describe.runIf(needs("pgbouncer"))(
    "behind a pooler that lends its three connections by transaction",
    () => {
      describeDatabase(async () => {
        const { url, drop } = await createEmptyDatabase();
        const pooler = await PgBouncer.before(url, { connections: 3 });
        const reopen = () => openDatabase({ databaseUrl: pooler.url, directUrl: url });
        const database = await reopen();
        const remove = async (): Promise<void> => {
          await database.close();
          await pooler.remove();
          await drop();
        };
        return { database, reopen, remove };
      });
    },
  );

  it("goes on when connections nobody used are broken", async () => {
    const { url, drop } = await createEmptyDatabase();
    const broken: Error[] = [];
    const database = await openDatabase({ databaseUrl: url, onBroken: (error) => broken.push(error) });
    const admin = await openDatabase({ databaseUrl: url });
    await database.ping();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(admin.db);
    await expect.poll(() => broken).toHaveLength(1);
    await expect(database.ping()).resolves.toBeUndefined();
    await database.close();
    await admin.close();
    await drop();
  });

  it("fails what a connection was being used for when it broke, and goes on", async () => {
    const { url, drop } = await createEmptyDatabase();
    const database = await openDatabase({ databaseUrl: url });
    const admin = await openDatabase({ databaseUrl: url });
    const used = database.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(admin.db);
      await sql`select 1`.execute(trx);
    });
    await expect(used).rejects.toThrow();
    await expect(database.ping()).resolves.toBeUndefined();
    await database.close();
    await admin.close();
    await drop();
  });

  it("tells at the first question that nobody answers at its address", async () => {
    const database = await openDatabase({ databaseUrl: "postgres://127.0.0.1:1/none" });
    await expect(database.ping()).rejects.toThrow("ECONNREFUSED");
    await database.close();
  });
});
