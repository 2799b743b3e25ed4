import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";

/** Allows messages to a number again. */
export async function takeBackOptOut(db: Kysely<Tables>, orgId: string, phone: string): Promise<void> {
  await db
    .updateTable("messaging_threads")
    .set({ opted_out_at: null })
    .where("org_id", "=", orgId)
    .where("contact_phone", "=", phone)
    .where("opted_out_at", "is not", null)
    .execute();
}
