import { conditionsOf } from "@parley/control-api/apps/records/conditions.ts";
import { countRecords, listRecords } from "@parley/control-api/apps/records/list.ts";
import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { explain, scannedTables } from "@parley/loadtest/lists/plans.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillRecords, listAs, RECORD_LISTS } from "../testkit/app-records.ts";
import { needs } from "../testkit/needs.ts";
import { createTestDatabase } from "../testkit/postgres.ts";

describe.runIf(needs("postgres"))("a list of an app's records, over twenty thousand of a type", () => {
  let server: Awaited<ReturnType<typeof createTestDatabase>>;
  let databases: Databases;
  let storeId: number;
  beforeAll(async () => {
    server = await createTestDatabase();
    databases = await openDatabase({ databaseUrl: server.url });
    storeId = await databases.unbounded(({ db }) => fillRecords(db, 20_000));
  }, 240_000);
  afterAll(async () => {
    await databases.close();
    await server.drop();
  });

  it.each(Object.entries(RECORD_LISTS))("%s reads an index and no table from end to end", async (_, list) => {
    const explained = await explain(databases.db, (db) => listAs(db, storeId, list));
    expect(explained.length).toBeGreaterThan(0);
    expect(
      explained.flatMap(scannedTables),
      explained.map(({ plan }) => plan.join("\n")).join("\n\n"),
    ).toEqual([]);
  });

  it("gives the records that the query is about, in order", async () => {
    const request = { storeId, conditions: conditionsOf({ status: "open" }), limit: 3 };
    const found = await listRecords(databases.db, { ...request, order: { field: "rank", numeric: true } });
    expect(found.map(({ data }) => data.rank)).toEqual([5, 10, 15]);
    expect(await countRecords(databases.db, { storeId, conditions: conditionsOf({ owner: "usr_7" }) })).toBe(
      20,
    );
  });
});
