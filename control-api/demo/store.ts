import type { Kysely } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";

export interface DemoIds {
  readonly orgId: string;
  readonly userId: string;
}

interface DemoKey extends DemoIds {
  readonly key: { readonly id: string; readonly secretHash: string; readonly lastFour: string };
  readonly passwordHash: string;
  readonly at: Date;
}

/** The demo workspace, found by its owner; its first agent, if there is one still. */
export async function findDemo({ db }: Database, email: string) {
  return db
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .leftJoin("agents", "agents.org_id", "memberships.org_id")
    .select(["memberships.org_id as orgId", "users.id as userId", "agents.id as agentId"])
    .where("users.email", "=", email)
    .orderBy("agents.created_at")
    .executeTakeFirst();
}

export async function insertDemo(
  { db }: Database,
  demo: DemoKey & { readonly email: string },
): Promise<void> {
  const { orgId, userId, at, email, passwordHash } = demo;
  await db.transaction().execute(async (trx) => {
    await trx.insertInto("organizations").values({ id: orgId, name: "Demo", created_at: at }).execute();
    await trx
      .insertInto("users")
      .values({
        id: userId,
        email,
        password_hash: passwordHash,
        status: "active",
        verified_at: at,
        created_at: at,
      })
      .execute();
    await trx
      .insertInto("memberships")
      .values({ org_id: orgId, user_id: userId, role: "owner", created_at: at })
      .execute();
    await insertKey(trx, demo);
  });
}

/** A new key and password for a workspace whose `demo.json` is gone; the old ones end. */
export async function insertDemoKey({ db }: Database, demo: DemoKey): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable("api_keys")
      .set({ revoked_at: demo.at })
      .where("org_id", "=", demo.orgId)
      .where("name", "=", KEY_NAME)
      .where("revoked_at", "is", null)
      .execute();
    await trx
      .updateTable("users")
      .set({ password_hash: demo.passwordHash })
      .where("id", "=", demo.userId)
      .execute();
    await insertKey(trx, demo);
  });
}

const KEY_NAME = "Demo key";

async function insertKey(trx: Kysely<Tables>, { orgId, userId, key, at }: DemoKey): Promise<void> {
  await trx
    .insertInto("api_keys")
    .values({
      id: key.id,
      org_id: orgId,
      name: KEY_NAME,
      role: "owner",
      secret_hash: key.secretHash,
      last_four: key.lastFour,
      created_by: userId,
      created_at: at,
    })
    .execute();
}
