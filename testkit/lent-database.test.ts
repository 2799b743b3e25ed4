import type { Databases } from "@parley/control-api/database/open.ts";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { lentDatabase, lentEmbedded } from "./lent-database.ts";
import { lentPostgres } from "./lent-postgres.ts";
import { needs, testPostgresUrl } from "./needs.ts";
import { createOrganization } from "./organization.ts";
import { dropLeftBehind } from "./postgres.ts";

const KINDS = [
  { name: "the embedded database", lend: lentEmbedded },
  ...(needs("postgres") ? [{ name: "Postgres", lend: lentPostgres }] : []),
];

const organizationsIn = async ({ db }: Pick<Databases, "db">) =>
  (await db.selectFrom("organizations").select("id").execute()).length;
/** Leaves a mark, which a database keeps while it is lent again and again. */
const mark = ({ db }: Databases, text: string) =>
  sql`comment on table organizations is ${sql.lit(text)}`.execute(db);
/** The mark of whoever had the database last and left one. */
const markOf = async ({ db }: Databases) => {
  const { rows } = await sql<{
    mark: string | null;
  }>`select obj_description('organizations'::regclass) as mark`.execute(db);
  return rows[0]?.mark;
};

describe.each(KINDS)("$name, lent", ({ lend }) => {
  it("is lent again after it was given back, with nothing in it", async () => {
    const first = await lend();
    await createOrganization(first);
    await mark(first, "given back");
    expect(await organizationsIn(first)).toBe(1);
    await first.close();

    const second = await lend();
    expect(await markOf(second)).toBe("given back");
    expect(await organizationsIn(second)).toBe(0);
    await second.close();
  });

  it("is empty again after much was in it", async () => {
    const first = await lend();
    await sql`insert into organizations (id, name, created_at)
      select 'org_' || n, repeat('x', 100), now() from generate_series(1, 20000) as n`.execute(first.db);
    await createOrganization(first);
    await first.close();
    const second = await lend();
    expect(await organizationsIn(second)).toBe(0);
    expect(await second.db.selectFrom("agents").select("id").execute()).toEqual([]);
    await second.close();
  });

  it("is two for two at a time", async () => {
    const [one, other] = [await lend(), await lend()];
    await createOrganization(one);
    expect([await organizationsIn(one), await organizationsIn(other)]).toEqual([1, 0]);
    await Promise.all([one.close(), other.close()]);
  });

  it("ends a transaction that its owner has left open", async () => {
    const first = await lend();
    await first.db.connection().execute(async (db) => {
      await sql`begin`.execute(db);
      await createOrganization({ ...first, db });
      await first.close();
    });
    const second = await lend();
    expect(await organizationsIn(second)).toBe(0);
    await createOrganization(second);
    await second.close();
  });

  it("cannot be asked by who has given it back", async () => {
    const { db, close } = await lend();
    await db.selectFrom("organizations").select("id").execute();
    await db.connection().execute(async (held) => {
      await close();
      await expect(held.selectFrom("organizations").select("id").execute()).rejects.toThrow("given back");
    });
  });

  it.each([
    ["a column", sql`alter table organizations add column leftover text`],
    ["a constraint", sql`alter table calls add constraint leftover check (id <> '') not valid`],
    ["a function", sql`create function leftover() returns int language sql as 'select 1'`],
    ["a migration", sql`insert into kysely_migration (name, timestamp) values ('9999', '2030-01-01')`],
  ])("is not lent again after a test has left %s in it", async (what, leave) => {
    const first = await lend();
    await leave.execute(first.db);
    await mark(first, what);
    await first.close();
    const second = await lend();
    expect(await markOf(second)).not.toBe(what);
    await second.close();
  });
});

describe("what is lent", () => {
  const isOfServer = async (asked?: string) => {
    const lent = await lentDatabase(asked);
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(lent.db);
    await lent.close();
    return rows[0]?.name.startsWith(inject("databasePrefix"));
  };

  it.runIf(needs("postgres"))("is of the Postgres server where there is one", async () => {
    expect(await isOfServer("")).toBe(true);
  });

  it("is embedded where the run asks for that", async () => {
    expect(await isOfServer("embedded")).toBe(false);
  });
});

describe.runIf(needs("postgres"))("what is lent of a Postgres", () => {
  const ofRun = inject("databasePrefix");
  async function asked<Row extends pg.QueryResultRow>(query: string, parameters: string[]): Promise<Row[]> {
    const admin = new pg.Client({ connectionString: testPostgresUrl() });
    await admin.connect();
    try {
      return (await admin.query<Row>(query, parameters)).rows;
    } finally {
      await admin.end();
    }
  }
  const open = async () => {
    const names = "select datname as name from pg_database where starts_with(datname, $1)";
    const busy = "select datname as name from pg_stat_activity where starts_with(datname, $1)";
    const ofThis = [`${ofRun}${process.pid}_`];
    return {
      databases: (await asked(names, ofThis)).length,
      connections: (await asked(busy, ofThis)).length,
    };
  };
  /** A loan in which every pool has as many connections as it may. */
  const borrow = async () => {
    const lent = await lentPostgres();
    const all = [lent.db, lent.reads.db, lent.background.db];
    await Promise.all(all.flatMap((db) => Array.from({ length: 8 }, () => sql`select 1`.execute(db))));
    await lent.close();
  };

  it("is no more databases and connections, however often it is lent", async () => {
    await borrow();
    const before = await open();
    for (let time = 0; time < 10; time++) await borrow();
    const { databases, connections } = await open();
    expect(databases).toBe(before.databases);
    expect(connections).toBeLessThanOrEqual(before.connections);
  });

  it("is dropped once its process has ended", async () => {
    const left = `${ofRun}2147483647_left`;
    await asked(`create database ${left}`, []);
    await dropLeftBehind();
    expect(await asked("select from pg_database where datname = $1", [left])).toEqual([]);
    expect((await open()).databases, "those of processes that run stay").toBeGreaterThan(0);
  });
});
