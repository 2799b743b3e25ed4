import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { recallChoices } from "../opt-out/forget-choices.ts";

export type ThreadRow = Selectable<Tables["messaging_threads"]>;
type Trx = Kysely<Tables>;

/** A contact; at least one of phone and user id is known. */
export interface Contact {
  readonly phone: string | null;
  readonly userId: string | null;
  readonly name: string | null;
}

interface ThreadOf {
  readonly orgId: string;
  readonly channelId: string;
  readonly contact: Contact;
  readonly at: Date;
  /** Recognizes contacts who were erased. */
  readonly secrets: SecretBox;
}

/** A conversation, and whether the contact's number was not known in it until now. */
export interface LockedThread extends ThreadRow {
  readonly isNumberNew: boolean;
}

/** Label of a contact without separate names: the number, or the provider's id. */
export function addressOf(thread: Pick<ThreadRow, "contact_phone" | "contact_user_id">): string {
  return thread.contact_phone ?? thread.contact_user_id ?? "";
}

/**
 * Locks the conversation with a contact until the transaction ends, creating it if needed. Stores newly learned contact
 * data: a contact who showed only a name may reveal the number later.
 */
export async function lockThreadOf(
  trx: Trx,
  { orgId, channelId, contact, at, secrets }: ThreadOf,
): Promise<LockedThread> {
  const { phone, userId, name } = contact;
  const known = await lockKnown(trx, channelId, contact);
  if (!known) {
    const row = { id: newId("thr"), org_id: orgId, channel_id: channelId, contact_name: name };
    const whom = { contact_phone: phone, contact_user_id: userId };
    await trx
      .insertInto("messaging_threads")
      .values({ ...row, ...whom, last_inbound_at: null, last_message_at: at, created_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const begun = await lockKnown(trx, channelId, contact);
    if (!begun) throw new Error("a conversation that was begun is not there");
    await recallChoices(trx, begun, secrets);
    return { ...begun, isNumberNew: begun.contact_phone !== null };
  }
  const isSame =
    (name === null || name === known.contact_name) &&
    (phone === null || known.contact_phone !== null) &&
    (userId === null || known.contact_user_id !== null);
  if (isSame) return { ...known, isNumberNew: false };
  const noted = await trx
    .updateTable("messaging_threads as t")
    .set({
      contact_name: name ?? known.contact_name,
      contact_phone: unlessTaken("contact_phone", phone ?? known.contact_phone, known),
      contact_user_id: unlessTaken("contact_user_id", userId ?? known.contact_user_id, known),
    })
    .where("t.id", "=", known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recallChoices(trx, noted, secrets);
  return { ...noted, isNumberNew: known.contact_phone === null && noted.contact_phone !== null };
}

/** Keeps the column if another conversation already has the value: the contact has written under both before. */
function unlessTaken(column: "contact_phone" | "contact_user_id", value: string | null, thread: ThreadRow) {
  return sql<string | null>`case when exists (
      select 1 from messaging_threads o where o.channel_id = ${thread.channel_id} and o.id <> ${thread.id}
      and ${sql.ref(`o.${column}`)} = ${value}
    ) then ${sql.ref(`t.${column}`)} else ${value} end`;
}

/**
 * Locks these contacts' conversations in a channel, in one order. Whoever writes about several contacts, or about choices
 * and the do-not-call list, does so first (docs/decisions/messaging.md#conversations-are-locked-first).
 */
export async function lockContacts(
  trx: Trx,
  channelId: string,
  { phones, userIds = [] }: { readonly phones: readonly string[]; readonly userIds?: readonly string[] },
): Promise<Pick<ThreadRow, "contact_phone" | "contact_user_id">[]> {
  return trx
    .selectFrom("messaging_threads")
    .select(["contact_phone", "contact_user_id"])
    .where("channel_id", "=", channelId)
    .where(
      sql<boolean>`(contact_phone = any(${[...phones]}::text[]) or contact_user_id = any(${[...userIds]}::text[]))`,
    )
    .orderBy("id")
    .forUpdate()
    .execute();
}

function lockKnown(trx: Trx, channelId: string, { phone, userId }: Contact) {
  return trx
    .selectFrom("messaging_threads")
    .selectAll()
    .where("channel_id", "=", channelId)
    .where((is) => is.or([is("contact_phone", "=", phone), is("contact_user_id", "=", userId)]))
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

export function lockThread(trx: Trx, id: string): Promise<ThreadRow | undefined> {
  return trx.selectFrom("messaging_threads").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Locks one of the organization's conversations. Throws `AppError` not_found. */
export async function lockOwnThread(trx: Trx, orgId: string, id: string): Promise<ThreadRow> {
  const thread = await lockThread(trx, id);
  if (thread?.org_id === orgId) return thread;
  throw new AppError("not_found", `There is no conversation ${id} in this organization.`);
}

export function findThread(db: Trx, id: string): Promise<ThreadRow | undefined> {
  return db.selectFrom("messaging_threads").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Records that a message arrived. */
export async function noteReceived(trx: Trx, id: string, sentAt: Date): Promise<void> {
  await trx
    .updateTable("messaging_threads")
    .set(({ fn, val }) => ({
      unread: sql<number>`unread + 1`,
      last_inbound_at: fn<Date>("greatest", ["last_inbound_at", val(sentAt)]),
      last_message_at: fn<Date>("greatest", ["last_message_at", val(sentAt)]),
    }))
    .where("id", "=", id)
    .execute();
}

export async function updateThread(
  trx: Trx,
  id: string,
  change: Partial<
    Pick<
      ThreadRow,
      "mode" | "taken_by" | "session_id" | "trouble" | "unread" | "last_message_at" | "opted_out_at"
    >
  >,
): Promise<void> {
  await trx.updateTable("messaging_threads").set(change).where("id", "=", id).execute();
}
