import { sql } from "kysely";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { lentDatabase } from "../../testkit/lent-database.ts";
import { findLaterMigrations, migrateToLatest } from "./migrate.ts";
import type { Databases } from "./open.ts";

const LATER = "9999-of-the-next-version";

let database: Databases;
beforeEach(async () => {
  database = await lentDatabase();
  onTestFinished(() => database.close());
});

const execute = (name: string) =>
  sql`insert into kysely_migration (name, timestamp) values (${name}, '2030-01-01T00:00:00.000Z')`.execute(
    database.db,
  );

describe("a database that a later version has migrated", () => {
  it("is left as it is, so that this version starts beside the next one and after it", async () => {
    await execute(LATER);
    expect(await migrateToLatest(database.db)).toEqual([]);
    expect(await findLaterMigrations(database.db)).toEqual([LATER]);
  });

  it("is brought up to date where a migration of this version is missing", async () => {
    await execute(LATER);
    await sql`delete from kysely_migration where name = '0022-search-grams'`.execute(database.db);
    await sql`drop function search_grams cascade`.execute(database.db);
    expect(await migrateToLatest(database.db)).toEqual(["0022-search-grams"]);
  });
});

describe("a database whose history is not this product's", () => {
  it("is refused by the name of what is foreign", async () => {
    await execute("0003-somebody-elses");
    await expect(migrateToLatest(database.db)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("0003-somebody-elses"),
    });
  });
});
