import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, it, onTestFinished } from "vitest";
import { migrateToLatest } from "../migrate.ts";
import { openDatabase } from "../open.ts";
import { MIGRATIONS } from "./index.ts";

it("agents from before there were versions are at their first, which has no secret in it", async () => {
  const { db, close } = await openDatabase({});
  onTestFinished(close);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  await migrator.migrateTo("0004-webhook-health");
  await sql`insert into organizations values ('org_1', 'Demo', now())`.execute(db);
  await sql`insert into agents values
    ('agt_1', 'org_1', 'Anna', '{"brain":{"url":"https://a.example/","secret":"a-clear-secret"}}', now(), now()),
    ('agt_2', 'org_1', 'Bob', '{"brain":{"url":"https://b.example/"}}', now(), now())`.execute(db);
  await migrateToLatest(db);
  const agents = await db.selectFrom("agents").select(["id", "version", "sealed"]).orderBy("id").execute();
  expect(agents).toEqual([
    { id: "agt_1", version: 1, sealed: {} },
    { id: "agt_2", version: 1, sealed: {} },
  ]);
  const versions = await db.selectFrom("agent_versions").selectAll().orderBy("agent_id").execute();
  expect(versions).toMatchObject([
    { agent_id: "agt_1", version: 1, name: "Anna", sealed_names: ["brain.secret"], actor_kind: "nobody" },
    { agent_id: "agt_2", version: 1, name: "Bob", sealed_names: [], actor_id: null },
  ]);
  expect(JSON.stringify(versions)).not.toContain("a-clear-secret");
});
