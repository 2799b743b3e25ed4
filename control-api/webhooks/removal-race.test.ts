import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { createOrganization } from "../../testkit/organization.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { type Database, openDatabase } from "../database/open.ts";
import { deleteDeliveriesOf } from "./delivery-store.ts";
import { recordResults } from "./queue-store.ts";

const DELIVERIES = 256;

/** Deliveries that are owed, the latest id first in the table; gives their ids in order. */
async function owed(database: Database): Promise<{ endpointId: string; ids: string[] }> {
  const { orgId, userId } = await createOrganization(database);
  const [endpointId, at] = [newId("whk"), new Date()];
  const endpoint = { id: endpointId, org_id: orgId, url: "https://a.example/", secret_sealed: "x" };
  const enriched = { events: JSON.stringify(["*"]), include_recording: false, include_transcript: false };
  await database.db
    .insertInto("webhook_endpoints")
    .values({ ...endpoint, ...enriched, created_by: userId, created_at: at })
    .execute();
  const ids = Array.from({ length: DELIVERIES }, () => newId("dlv")).toSorted();
  const one = {
    endpoint_id: endpointId,
    org_id: orgId,
    event: "call.dtmf",
    body: "{}",
    status: "pending" as const,
  };
  await database.db
    .insertInto("webhook_deliveries")
    .values(
      ids.toReversed().map((id) => ({
        ...one,
        id,
        created_at: at,
        next_attempt_at: at,
      })),
    )
    .execute();
  return { endpointId, ids };
}

/** How many statements of this database wait for somebody else's row. */
async function countWaiting({ db }: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}

describe.runIf(needs("postgres"))("deliveries of an endpoint that is deleted", () => {
  it.each(["first", "last"])(
    "may have their results recorded meanwhile, %s: neither waits for the other's rows",
    async (when) => {
      const { url, drop } = await createTestDatabase();
      onTestFinished(drop);
      const database = await openDatabase({ databaseUrl: url });
      onTestFinished(() => database.close());
      const { endpointId, ids } = await owed(database);
      const result = { status: "delivered" as const, attempts: 1, at: new Date(), durationMs: 1 };
      const answer = { nextAttemptAt: null, responseStatus: 200, responseBody: "", error: null };
      const record = () =>
        database.db.transaction().execute((trx) =>
          recordResults(
            trx,
            ids.map((id) => ({ id, ...result, ...answer })),
          ),
        );
      const remove = () => deleteDeliveriesOf(database, endpointId);
      const begun = await database.db.transaction().execute(async (trx) => {
        // Both stop where somebody has a row, with all that they hold by then, and go on at the same moment.
        await sql`select from webhook_deliveries where id = ${ids[0]} for update`.execute(trx);
        const one = (when === "first" ? record : remove)();
        await expect.poll(() => countWaiting(database)).toBe(1);
        const other = (when === "first" ? remove : record)();
        await expect.poll(() => countWaiting(database)).toBe(2);
        return [one, other].map((statement) => statement.then(() => "done", String));
      });
      expect(await Promise.all(begun)).toEqual(["done", "done"]);
      const left = database.db
        .selectFrom("webhook_deliveries")
        .select("id")
        .where("endpoint_id", "=", endpointId);
      expect(await left.execute()).toEqual([]);
    },
  );
});
