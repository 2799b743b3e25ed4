import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";

/** Shown as the last error of an endpoint that was disabled with what its creator had set up. */
const DISABLED =
  "Disabled: whoever added it had not verified that the account is theirs. Add it again if it is yours.";

/**
 * Removes what was set or issued by somebody who never proved to hold the identifier: password, keys (their apps' too),
 * client tokens, invitations and second factor; disables their webhooks. Returns the ids of the API keys.
 */
export async function dropUnproven(
  db: Kysely<Tables>,
  userId: string,
  { withMfa, at }: { readonly withMfa: boolean; readonly at: Date },
): Promise<string[]> {
  await db.updateTable("users").set({ password_hash: null }).where("id", "=", userId).execute();
  const keys = await db
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("created_by", "=", userId)
    .where("revoked_at", "is", null)
    .returning("id")
    .execute();
  await db.deleteFrom("client_tokens").where("minted_by", "=", userId).execute();
  await db
    .updateTable("invitations")
    .set({ revoked_at: at })
    .where("invited_by", "=", userId)
    .where("accepted_at", "is", null)
    .execute();
  await dropWaysOut(db, userId, at);
  if (withMfa) await dropMfa(db, userId);
  return keys.map(({ id }) => id);
}

/** Ends what would go on telling a stranger of the organization's calls: keys of apps' backends, and webhooks. */
async function dropWaysOut(db: Kysely<Tables>, userId: string, at: Date): Promise<void> {
  await db
    .updateTable("app_keys")
    .set({ revoked_at: at })
    .where("created_by", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
  await db
    .updateTable("webhook_endpoints")
    .set({ enabled: false, last_error: DISABLED })
    .where("created_by", "=", userId)
    .where("enabled", "=", true)
    .execute();
}

async function dropMfa(db: Kysely<Tables>, userId: string): Promise<void> {
  await db.deleteFrom("mfa_totp").where("user_id", "=", userId).execute();
  await db.deleteFrom("mfa_recovery_codes").where("user_id", "=", userId).execute();
}
