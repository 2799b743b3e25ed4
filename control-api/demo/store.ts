import type { Database } from "../database/open.ts";
import { insertAccount, setPasswordHash } from "../identity/accounts/store.ts";
import { insertKey, type NewKey, revokeKeysNamed } from "../identity/api-keys/store.ts";
import { insertOrganization } from "../identity/memberships/store.ts";

const KEY_NAME = "Demo key";

export interface DemoIds {
  readonly orgId: string;
  readonly userId: string;
}

interface DemoKey extends DemoIds {
  readonly key: { readonly id: string; readonly secretHash: string; readonly lastFour: string };
  readonly passwordHash: string;
  readonly at: Date;
}

/** Finds the demo workspace by its owner, with its first agent, if any is left. */
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
  const identifier = { channel: "email", value: email } as const;
  const account = { id: userId, identifier, name: "", passwordHash, verifiedAt: at, at };
  await db.transaction().execute(async (trx) => {
    await insertAccount(trx, account);
    await insertOrganization(trx, { id: orgId, name: "Demo", ownerId: userId, at });
    await insertKey(trx, newKey(demo));
  });
}

/** Replaces the key and password of a workspace whose `demo.json` is gone. */
export async function insertDemoKey({ db }: Database, demo: DemoKey): Promise<void> {
  const { orgId, userId, passwordHash, at } = demo;
  await db.transaction().execute(async (trx) => {
    await revokeKeysNamed(trx, { orgId, name: KEY_NAME, at });
    await setPasswordHash(trx, userId, passwordHash);
    await insertKey(trx, newKey(demo));
  });
}

function newKey({ orgId, userId, key, at }: DemoKey): NewKey {
  return { ...key, orgId, name: KEY_NAME, role: "owner", createdBy: userId, at };
}
