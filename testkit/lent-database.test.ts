import type { Databases } from "@parley/control-api/database/open.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { lentDatabase } from "./lent-database.ts";
import { createOrganization } from "./organization.ts";

const organizationsIn = async ({ db }: Databases) =>
  (await db.selectFrom("organizations").select("id").execute()).length;
/** Leaves a mark in the session, which a database keeps while it is lent again and again. */
const mark = ({ db }: Databases, name: string) =>
  sql`select set_config('parley.mark', ${name}, false)`.execute(db);
/** The mark of whoever had the database last and left one. */
const markOf = async ({ db }: Databases) => {
  const { rows } = await sql<{
    mark: string | null;
  }>`select current_setting('parley.mark', true) as mark`.execute(db);
  return rows[0]?.mark;
};

test("a database that was given back is lent again, with nothing in it", async () => {
  const first = await lentDatabase();
  await createOrganization(first);
  await mark(first, "given back");
  expect(await organizationsIn(first)).toBe(1);
  await first.close();

  const second = await lentDatabase();
  expect(await markOf(second)).toBe("given back");
  expect(await organizationsIn(second)).toBe(0);
  await second.close();
});

test("two at a time are two", async () => {
  const [one, other] = [await lentDatabase(), await lentDatabase()];
  await createOrganization(one);
  expect([await organizationsIn(one), await organizationsIn(other)]).toEqual([1, 0]);
  await Promise.all([one.close(), other.close()]);
});

test("a transaction that its owner has left open ends with the loan", async () => {
  const first = await lentDatabase();
  await sql`begin`.execute(first.db);
  await createOrganization(first);
  await first.close();
  const second = await lentDatabase();
  expect(await organizationsIn(second)).toBe(0);
  await second.close();
});

test("who has given it back cannot ask it any more", async () => {
  const { db, close } = await lentDatabase();
  await db.selectFrom("organizations").select("id").execute();
  await db.connection().execute(async (held) => {
    await close();
    await expect(held.selectFrom("organizations").select("id").execute()).rejects.toThrow("given back");
  });
});

test.each([
  ["a column", sql`alter table organizations add column leftover text`],
  ["a constraint", sql`alter table calls add constraint leftover check (id <> '') not valid`],
  ["a function", sql`create function leftover() returns int language sql as 'select 1'`],
  ["a migration", sql`insert into kysely_migration (name, timestamp) values ('9999', '2030-01-01')`],
])("a database in which a test has left %s is not lent again", async (what, leave) => {
  const first = await lentDatabase();
  await leave.execute(first.db);
  await mark(first, what);
  await first.close();
  const second = await lentDatabase();
  expect(await markOf(second)).not.toBe(what);
  await second.close();
});
