import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { createEmptyDatabase } from "../../testkit/postgres.ts";
import { buildIndexes } from "./build-indexes.ts";
import { exclusively } from "./exclusively.ts";
import { LONG_INDEXES } from "./long-indexes.ts";
import { migrateToLatest } from "./migrate.ts";
import { type Databases, openDatabase } from "./open.ts";

const ALL = LONG_INDEXES.map(({ name }) => name);

describe.runIf(needs("postgres"))("indexes of large tables", () => {
  let database: Databases;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    const made = await createEmptyDatabase();
    drop = made.drop;
    database = await openDatabase({ databaseUrl: made.url });
    await migrateToLatest(database.db);
  });
  afterEach(async () => {
    await database.close();
    await drop();
  });

  it("are built once, and again where a build that was killed left one that is not valid", async () => {
    expect(await buildIndexes(database)).toEqual(ALL);
    expect(await buildIndexes(database)).toEqual([]);
    await sql`update pg_index set indisvalid = false
      where indexrelid in ('calls_org_status'::regclass, 'call_messages_grams'::regclass)`.execute(
      database.db,
    );
    expect(await buildIndexes(database)).toEqual(["calls_org_status", "call_messages_grams"]);
  });

  it("are built by one process at a time, while calls are read and written", async () => {
    await exclusively(database.background, "build-indexes", async () => {
      expect(await buildIndexes(database)).toBeUndefined();
    });
    const built = buildIndexes(database);
    await sql`insert into organizations (id, name, created_at) values ('org_1', 'One', now())`.execute(
      database.db,
    );
    expect(await built).toEqual(ALL);
  });
});
