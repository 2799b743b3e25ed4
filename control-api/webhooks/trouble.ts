import type { Database } from "../database/open.ts";
import type { Messenger } from "../identity/notifications/messenger.ts";
import { webhookTroubleMessage } from "../identity/notifications/texts.ts";
import type { Trouble } from "./result-writer.ts";

export interface TroubleDeps {
  readonly database: Database;
  readonly messenger: Messenger;
  readonly baseUrl: () => string;
}

/** Tells an organization's owners by mail that an endpoint is disabled or keeps failing: never silently. */
export async function tellOwners(
  trouble: Trouble,
  { database, messenger, baseUrl }: TroubleDeps,
): Promise<void> {
  const owners = await database.db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.email as email")
    .where("memberships.org_id", "=", trouble.orgId)
    .where("memberships.role", "=", "owner")
    .where("users.status", "=", "active")
    .where("users.email", "is not", null)
    .execute();
  for (const { email } of owners) {
    if (email !== null) messenger.post(webhookTroubleMessage(email, { ...trouble, link: baseUrl() }));
  }
}
