import type { Database } from "../../database/open.ts";

export async function insertFlow(
  { db }: Database,
  flow: {
    readonly stateHash: string;
    readonly orgId: string;
    readonly browserHash: string;
    readonly sealed: string;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await db
    .insertInto("oauth_flows")
    .values({
      state_hash: flow.stateHash,
      org_id: flow.orgId,
      browser_hash: flow.browserHash,
      sealed: flow.sealed,
      expires_at: flow.expiresAt,
    })
    .execute();
}

/** Takes a flow once: a callback that is repeated finds nothing. */
export async function takeFlow(
  { db }: Database,
  { stateHash, at }: { readonly stateHash: string; readonly at: Date },
): Promise<{ sealed: string; browserHash: string | null } | undefined> {
  return db
    .deleteFrom("oauth_flows")
    .where("state_hash", "=", stateHash)
    .where("expires_at", ">", at)
    .returning(["sealed", "browser_hash as browserHash"])
    .executeTakeFirst();
}

export async function deleteOldConsents({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("oauth_flows").where("expires_at", "<", before).execute();
}
