import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { migrateToLatest } from "../database/migrate.ts";
import { type Databases, openDatabase } from "../database/open.ts";
import { claimDeliveries } from "./queue-store.ts";

const MANY = 20_000;

describe.runIf(needs("postgres"))("the claim of deliveries", () => {
  let database: Databases;
  let databaseUrl: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = made.drop;
    databaseUrl = made.url;
    database = await openDatabase({ databaseUrl: made.url });
    await migrateToLatest(database.db);
    await sql`alter table webhook_deliveries set (autovacuum_enabled = false)`.execute(database.db);
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

  it.each([0, 3])(
    "that was planned for a table with %i rows steps through no table when there are many",
    async (few) => {
      await sql`truncate webhook_deliveries`.execute(database.db);
      await raise(1, few);
      await sql`analyze webhook_deliveries`.execute(database.db);
      // A plan is a connection's.
      const own = await openDatabase({ databaseUrl });
      onTestFinished(() => own.close());
      await own.background.db.connection().execute(async (db) => {
        const at = new Date(Date.now() + 1_000);
        const leasedUntil = new Date(at.getTime() + 60_000);
        const claim = (places: number) =>
          claimDeliveries(
            { ...own.background, db },
            { claimId: "evt_1.1", at, leasedUntil, places: { whk_1: places }, maxBytes: 1_000_000 },
          );
        // As Postgres does by itself after five, where it believes that this costs no more.
        await sql`set plan_cache_mode = force_generic_plan`.execute(db);
        await claim(1);
        await raise(few + 1, MANY);
        expect((await claim(32)).deliveries).toHaveLength(32);
        const when = `'${at.toISOString()}'`;
        const { rows } = await sql
          .raw<{ "QUERY PLAN": string }>(
            `explain execute "webhooks-claim" ('{"whk_1":32}', ${when}, ${when}, 'evt_1.2', ${when}, 1000000)`,
          )
          .execute(db);
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
        // The one that was kept: its parameters have no values.
        expect(plan).toContain("$2");
        expect(plan).toContain("Tid Scan on webhook_deliveries");
        expect(plan).not.toMatch(/Seq Scan on webhook_deliveries|webhook_deliveries_pkey/);
      });
    },
  );
});
