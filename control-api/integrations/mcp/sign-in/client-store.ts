import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../../database/open.ts";

/** Parley's registration at an authorization server, for one organization. */
export async function findClient(
  { db }: Database,
  orgId: string,
  issuer: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom("oauth_clients")
    .select("sealed")
    .where("org_id", "=", orgId)
    .where("issuer_hash", "=", sha256Hex(issuer))
    .executeTakeFirst();
  return found?.sealed;
}

export async function putClient(
  { db }: Database,
  client: { readonly orgId: string; readonly issuer: string; readonly sealed: string; readonly at: Date },
): Promise<void> {
  const { orgId, issuer, sealed, at } = client;
  await db
    .insertInto("oauth_clients")
    .values({ org_id: orgId, issuer_hash: sha256Hex(issuer), issuer, sealed, created_at: at })
    .onConflict((conflict) =>
      conflict.columns(["org_id", "issuer_hash"]).doUpdateSet({ sealed, created_at: at }),
    )
    .execute();
}
