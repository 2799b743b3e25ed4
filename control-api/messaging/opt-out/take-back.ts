import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { lockWithOthers } from "../threads/thread-store.ts";
import { addressesOf } from "./choices.ts";
import { dropForgotten } from "./forget-choices.ts";

/**
 * Allows messages to a number again, in all conversations of its owner. Locks these before anything else, as whoever writes
 * in them does.
 */
export async function takeBackOptOut(
  trx: Kysely<Tables>,
  { orgId, phone }: { readonly orgId: string; readonly phone: string },
  secrets: SecretBox,
): Promise<void> {
  const found = await trx
    .selectFrom("messaging_threads")
    .select(["id", "same_contact_as"])
    .where("org_id", "=", orgId)
    .where("contact_phone", "=", phone)
    .execute();
  const threads = await lockWithOthers(trx, found);
  await dropForgotten(trx, { orgId, address: phone }, secrets);
  const optedOut = threads.filter(({ opted_out_at: at }) => at !== null).map(({ id }) => id);
  if (optedOut.length > 0)
    await trx
      .updateTable("messaging_threads")
      .set({ opted_out_at: null })
      .where("id", "in", optedOut)
      .execute();
  // Keeps when they chose it: the same choice may be told again.
  await trx
    .updateTable("messaging_choices")
    .set({ wish: "in" })
    .where("org_id", "=", orgId)
    .where("wish", "=", "out")
    .where("address", "in", [...new Set([phone, ...threads.flatMap(addressesOf)])])
    .execute();
}
