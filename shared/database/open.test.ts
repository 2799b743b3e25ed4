import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../tests/support/needs.ts";
import { createTestDatabase } from "../../tests/support/postgres.ts";
import { migrateToLatest } from "./migrate.ts";
import { type Database, openDatabase } from "./open.ts";

/** The suite both databases pass. */
function describeDatabase(open: () => Promise<{ database: Database; remove: () => Promise<void> }>) {
  let database: Database;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ database, remove } = await open());
  });
  afterAll(() => remove());

  it("migrates an empty database once, also when two processes start together", async () => {
    const names = await Promise.all([migrateToLatest(database.db), migrateToLatest(database.db)]);
    expect(names.flat()).toEqual(["0001-live-call"]);
    expect(await migrateToLatest(database.db)).toEqual([]);
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

  it("tells a violated constraint by its SQLSTATE", async () => {
    const again = database.db
      .insertInto("organizations")
      .values({ id: "org_outside", name: "twice", created_at: new Date() })
      .execute();
    await expect(again).rejects.toMatchObject({ code: "23505" });
  });

  it("answers a ping", async () => {
    await expect(database.ping()).resolves.toBeUndefined();
  });
}

describe("the embedded database", () => {
  describeDatabase(async () => {
    const database = await openDatabase({});
    return { database, remove: () => database.close() };
  });
});

describe.runIf(needs("postgres"))("Postgres", () => {
  describeDatabase(async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openDatabase({ databaseUrl: url });
    const remove = async (): Promise<void> => {
      await database.close();
      await drop();
    };
    return { database, remove };
  });
});
