import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, it, onTestFinished } from "vitest";
import { migrateToLatest } from "../migrate.ts";
import { openDatabase } from "../open.ts";
import { MIGRATIONS } from "./index.ts";

it("a database of version 0.1.0 keeps its people and keys, and its owner counts as proven", async () => {
  const { db, close } = await openDatabase({});
  onTestFinished(close);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  await migrator.migrateTo("0001-live-call");
  await sql`insert into organizations values ('org_1', 'Demo', now())`.execute(db);
  await sql`insert into users values ('usr_1', 'owner@parley.example', 'x', 'active', now())`.execute(db);
  await sql`insert into memberships values ('org_1', 'usr_1', 'owner')`.execute(db);
  await sql`insert into api_keys (id, org_id, name, role, secret_hash, last_four, created_by, created_at)
    values ('key_1', 'org_1', 'Demo key', 'owner', 'hash', 'abcd', 'usr_1', now())`.execute(db);
  await migrateToLatest(db);
  const user = await db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
  expect(user).toMatchObject({
    email: "owner@parley.example",
    mobile: null,
    name: "",
    verified_at: user.created_at,
  });
  const membership = await db.selectFrom("memberships").selectAll().executeTakeFirstOrThrow();
  expect(membership).toMatchObject({ role: "owner", created_at: expect.any(Date) });
  expect(await db.selectFrom("api_keys").select("id").execute()).toEqual([{ id: "key_1" }]);
});
