import { STANDARD_BUDGETS } from "@parley/shared/config/budgets.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { type Databases, openDatabase } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import { deleteDeliveriesOf } from "./delivery-store.ts";
import { claimDeliveries, findOwed, recordResults, resultsUpdate } from "./queue-store.ts";

const MANY = 20_000;
/** Reading the whole table takes five hundred pages and more, and one index of it a hundred. */
const FEW_PAGES = 60;
/** A session as the server makes it: plans may scan tables. */
const PLAIN = { ...STANDARD_BUDGETS, background: { ...STANDARD_BUDGETS.background, settings: {} } };
const CLAIMED = 8;

describe.runIf(needs("postgres"))("statements of the queue of deliveries", () => {
  let database: Databases;
  let databaseUrl: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = made.drop;
    databaseUrl = made.url;
    database = await openDatabase({ databaseUrl: made.url });
    for (const table of ["webhook_deliveries", "webhook_claims"])
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(database.db);
    await sql`insert into organizations (id, name, created_at) values ('org_1', 'One', now())`.execute(
      database.db,
    );
    await sql`insert into users (id, email, password_hash, status, created_at)
      values ('usr_1', 'one@acme.example', '', 'active', now())`.execute(database.db);
    await sql`insert into webhook_endpoints (id, org_id, url, secret_sealed, events, include_recording, include_transcript,
        created_by, created_at)
      values ('whk_1', 'org_1', 'https://hooks.example', 'sealed', '[]', false, false, 'usr_1', now())`.execute(
      database.db,
    );
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  const raise = (from: number, to: number) =>
    sql`insert into webhook_deliveries (id, endpoint_id, org_id, event, body, origin, status, created_at, next_attempt_at)
      select 'dlv_' || n, 'whk_1', 'org_1', 'call.dtmf', '{}', 'event', 'pending', now(), now()
      from generate_series(${from}::int, ${to}::int) n`.execute(database.db);

  it("delete what a queue has grown by since it was counted", async () => {
    await raise(1, MANY);
    // The newest stays, at the end of many empty pages.
    await sql`delete from webhook_deliveries where id <> ${`dlv_${MANY}`}`.execute(database.db);
    await sql`vacuum analyze webhook_deliveries`.execute(database.db);
    await raise(1, MANY - 1);
    await deleteDeliveriesOf(database.background, "whk_1");
    expect(await database.db.selectFrom("webhook_deliveries").select("id").execute()).toEqual([]);
  });

  it.each([0, 3, 1_000])(
    "that were planned for a table with %i rows read few pages when there are many, whatever the session's settings",
    async (few) => {
      await sql`truncate webhook_deliveries, webhook_claims`.execute(database.db);
      await raise(1, few);
      await sql`vacuum analyze webhook_deliveries`.execute(database.db);
      await sql`vacuum analyze webhook_claims`.execute(database.db);
      // A plan is a connection's.
      const own = await openDatabase({ databaseUrl, budgets: PLAIN });
      onTestFinished(() => own.close());
      await own.background.db.connection().execute(async (db) => {
        // What is raised below is due by then, however busy the machine is.
        const at = new Date(Date.now() + 60_000);
        const leasedUntil = new Date(at.getTime() + 60_000);
        const result = { status: "delivered" as const, attempts: 1, at, durationMs: 1, nextAttemptAt: null };
        const answer = { responseStatus: 200, responseBody: "", error: null };
        const queue = { ...own.background, db };
        const claim = (places: number) =>
          claimDeliveries(queue, {
            claimId: `evt_${places}`,
            at,
            leasedUntil,
            places: { whk_1: places },
            maxBytes: 1_000_000,
            over: [],
          });
        const record = (ids: readonly string[]) =>
          db.transaction().execute((trx) =>
            recordResults(
              trx,
              ids.map((id) => ({ id, ...result, ...answer })),
            ),
          );
        // As Postgres does by itself after five, where it believes that this costs no more.
        await sql`set plan_cache_mode = force_generic_plan`.execute(db);
        await findOwed(queue, { after: "", limit: 1, at });
        await claim(1);
        await record(["dlv_1"]);
        await raise(few + 1, MANY);
        expect((await claim(CLAIMED)).deliveries).toHaveLength(CLAIMED);

        // What results are recorded with, which are planned each time.
        await sql`set enable_seqscan = off`.execute(db);
        const when = `'${at.toISOString()}'`;
        const results = Array.from({ length: CLAIMED }, (_, i) => ({
          id: `dlv_${MANY / 2 + i}`,
          ...result,
          ...answer,
        }));
        const pages = {
          owed: await pagesOf(db, sql.raw(`execute "webhooks-find-owed" ('', ${when}, 1, ${when}, ${when})`)),
          claim: await pagesOf(
            db,
            sql.raw(
              `execute "webhooks-claim" ('{"whk_1":${CLAIMED}}', ${when}, ${when}, ${when}, 1000000, 8, 262144, 'evt_2', ${when}, '[]')`,
            ),
          ),
          // Each writes six indexes.
          results: (await pagesOf(db, resultsUpdate(results))) / CLAIMED,
        };
        for (const read of Object.values(pages)) expect(read).toBeLessThan(FEW_PAGES);
      });
    },
  );
});

/** Pages that a statement reads, by the plan that the connection keeps of it if it is prepared. */
async function pagesOf(db: Kysely<Tables>, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    "QUERY PLAN": readonly { Plan: Record<string, number> }[];
  }>`explain (analyze, buffers, format json) ${statement}`.execute(db);
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan ?? {};
  return (plan["Shared Hit Blocks"] ?? Number.NaN) + (plan["Shared Read Blocks"] ?? Number.NaN);
}
