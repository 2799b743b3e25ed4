import type { Database } from "../../database/open.ts";

interface FlowOfBrowser {
  readonly stateHash: string;
  readonly browserHash: string;
  readonly at: Date;
}

export async function insertFlow(
  { db }: Database,
  flow: {
    readonly stateHash: string;
    readonly orgId: string;
    readonly browserHash: string | null;
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

/** Binds a flow to a browser. Undefined when there is no such flow, or another browser has it. */
export async function claimFlow(
  { db }: Database,
  { stateHash, browserHash, at }: FlowOfBrowser,
): Promise<string | undefined> {
  const claimed = await db
    .updateTable("oauth_flows")
    .set({ browser_hash: browserHash })
    .where("state_hash", "=", stateHash)
    .where("expires_at", ">", at)
    .where((is) => is.or([is("browser_hash", "is", null), is("browser_hash", "=", browserHash)]))
    .returning("sealed")
    .executeTakeFirst();
  return claimed?.sealed;
}

/** Takes a flow once: a repeated callback finds nothing, and another browser's callback does not use it up. */
export async function takeFlow(
  { db }: Database,
  { stateHash, browserHash, at }: FlowOfBrowser,
): Promise<string | undefined> {
  const taken = await db
    .deleteFrom("oauth_flows")
    .where("state_hash", "=", stateHash)
    .where("browser_hash", "=", browserHash)
    .where("expires_at", ">", at)
    .returning("sealed")
    .executeTakeFirst();
  return taken?.sealed;
}

export async function deleteOldConsents({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("oauth_flows").where("expires_at", "<", before).execute();
}
