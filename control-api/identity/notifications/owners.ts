import type { Database } from "../../database/open.ts";
import type { Message } from "./message.ts";
import type { Messenger } from "./messenger.ts";

/** Mails the organization's owners who can sign in, so that nothing stops working silently. */
export async function mailOwners(
  { orgId, message }: { readonly orgId: string; readonly message: (email: string) => Message },
  { database, messenger }: { readonly database: Database; readonly messenger: Pick<Messenger, "post"> },
): Promise<void> {
  const owners = await database.db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.email as email")
    .where("memberships.org_id", "=", orgId)
    .where("memberships.role", "=", "owner")
    .where("users.status", "=", "active")
    .where("users.email", "is not", null)
    .execute();
  for (const { email } of owners) {
    if (email !== null) messenger.post(message(email));
  }
}
