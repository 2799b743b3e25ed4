import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { isMarketingStopped } from "./choices.ts";

/** `begin`: a message that nobody asked for, such as a template; `reply`: one in answer to what the contact wrote. */
export type Kind = "begin" | "reply";
type Contact = Pick<
  ThreadRow,
  "org_id" | "channel_id" | "contact_phone" | "contact_user_id" | "opted_out_at" | "last_inbound_at"
>;

/** WhatsApp's code for a message to a contact who stopped the business's marketing messages; also of templates that were not sent. */
export const STOPPED_CODE = 131_050;
/** Why nothing was sent. */
export const OPTED_OUT =
  "The contact asked for no more messages, so nothing was sent. They can write again, or START, to get messages.";

/** Refuses to write to contacts who want no messages. Throws `AppError` forbidden. */
export async function assertMayWrite(trx: Kysely<Tables>, contact: Contact, kind: Kind): Promise<void> {
  if (await mayWrite(trx, contact, kind)) return;
  const details = { reason: "do_not_call", number: contact.contact_phone };
  throw new AppError("forbidden", OPTED_OUT, { details });
}

/**
 * Replies are allowed once the contact has written again. Nothing else is, until they ask for it or a member takes the
 * number off the do-not-call list (docs/decisions/messaging.md#replies-after-stop).
 */
export async function mayWrite(trx: Kysely<Tables>, contact: Contact, kind: Kind): Promise<boolean> {
  if (kind === "reply") return mayReply(contact);
  if (contact.opted_out_at !== null || (await isMarketingStopped(trx, contact))) return false;
  return !(await isListed(trx, contact));
}

/** Whether what the contact wrote may be answered. */
export function mayReply({
  opted_out_at: outAt,
  last_inbound_at: inboundAt,
}: Pick<Contact, "opted_out_at" | "last_inbound_at">): boolean {
  return outAt === null || (inboundAt !== null && inboundAt > outAt);
}

async function isListed(trx: Kysely<Tables>, { org_id: orgId, contact_phone: phone }: Contact) {
  if (phone === null) return false;
  const row = await trx
    .selectFrom("do_not_call")
    .select("number")
    .where("org_id", "=", orgId)
    .where("number", "=", phone)
    .executeTakeFirst();
  return row !== undefined;
}
