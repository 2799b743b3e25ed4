import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export async function insertFlow(
  { db }: Database,
  flow: { stateHash: string; idp: string; sealed: string; expiresAt: Date },
): Promise<void> {
  const { stateHash, idp, sealed, expiresAt } = flow;
  await db
    .insertInto("oidc_flows")
    .values({ state_hash: stateHash, idp, sealed, expires_at: expiresAt })
    .execute();
}

/** Takes a flow once: a repeated callback finds nothing. */
export async function takeFlow(
  { db }: Database,
  { stateHash, idp, at }: { stateHash: string; idp: string; at: Date },
): Promise<string | undefined> {
  const taken = await db
    .deleteFrom("oidc_flows")
    .where("state_hash", "=", stateHash)
    .where("idp", "=", idp)
    .where("expires_at", ">", at)
    .returning("sealed")
    .executeTakeFirst();
  return taken?.sealed;
}

export async function findIdentity(db: Kysely<Tables>, idp: string, subject: string) {
  const found = await db
    .selectFrom("user_identities")
    .select("user_id as userId")
    .where("idp", "=", idp)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return found?.userId;
}

export async function insertIdentity(
  db: Kysely<Tables>,
  identity: { idp: string; subject: string; userId: string; at: Date },
): Promise<void> {
  const { idp, subject, userId, at } = identity;
  await db
    .insertInto("user_identities")
    .values({ idp, subject, user_id: userId, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteOldFlows({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("oidc_flows").where("expires_at", "<", before).execute();
}
