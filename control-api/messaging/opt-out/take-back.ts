import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { dropForgotten } from "./forget-choices.ts";

/** Allows messages to a number again. Locks its conversations before anything else, as whoever writes in them does. */
export async function takeBackOptOut(
  trx: Kysely<Tables>,
  { orgId, phone }: { readonly orgId: string; readonly phone: string },
  secrets: SecretBox,
): Promise<void> {
  await trx
    .selectFrom("messaging_threads")
    .select("id")
    .where("org_id", "=", orgId)
    .where("contact_phone", "=", phone)
    .orderBy("id")
    .forUpdate()
    .execute();
  await dropForgotten(trx, { orgId, address: phone }, secrets);
  await trx
    .updateTable("messaging_threads")
    .set({ opted_out_at: null })
    .where("org_id", "=", orgId)
    .where("contact_phone", "=", phone)
    .where("opted_out_at", "is not", null)
    .execute();
  // Keeps when they chose it: the same choice may be told again.
  await trx
    .updateTable("messaging_choices")
    .set({ wish: "in" })
    .where("org_id", "=", orgId)
    .where("wish", "=", "out")
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("address", "=", phone),
        eb(
          "address",
          "in",
          selectFrom("messaging_threads as t")
            .select("t.contact_user_id")
            .where("t.org_id", "=", orgId)
            .where("t.contact_phone", "=", phone)
            .where("t.contact_user_id", "is not", null)
            .$narrowType<{ contact_user_id: string }>(),
        ),
      ]),
    )
    .execute();
}
