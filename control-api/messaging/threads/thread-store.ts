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

/** A conversation, with what else is the contact's. */
export interface LockedThread extends ThreadRow {
  /** Their other conversations in the channel, locked as well. */
  readonly others: readonly ThreadRow[];
  /** A number, a user id or another conversation of theirs was not known until now: what they asked for there counts here. */
  readonly hasLearned: boolean;
}

/** Label of a contact without separate names: the number, or the provider's id. */
export function addressOf(thread: Pick<ThreadRow, "contact_phone" | "contact_user_id">): string {
  return thread.contact_phone ?? thread.contact_user_id ?? "";
}

/**
 * Locks the conversations with a contact until the transaction ends, and returns the oldest, creating one if needed. Stores
 * newly learned contact data: a contact who showed only a name may reveal the number later.
 */
export async function lockThreadOf(trx: Trx, { contact, ...place }: ThreadOf): Promise<LockedThread> {
  const { channelId, secrets } = place;
  const locked = await lockContact(trx, channelId, contact);
  const [known, ...others] = ofContact(locked, contact);
  if (!known) return beginThread(trx, { contact, ...place });
  const isJoined = await join(trx, known, others);
  const noted = await noteContact(trx, known, contact);
  const hasLearned =
    isJoined ||
    noted.contact_phone !== known.contact_phone ||
    noted.contact_user_id !== known.contact_user_id;
  const stoppedAt = hasLearned ? await recallChoices(trx, noted, secrets) : undefined;
  return {
    ...{ ...noted, opted_out_at: noted.opted_out_at ?? stoppedAt ?? null, hasLearned },
    others: locked.filter(({ id }) => id !== known.id),
  };
}

async function beginThread(
  trx: Trx,
  { orgId, channelId, contact, at, secrets }: ThreadOf,
): Promise<LockedThread> {
  const { phone, userId, name } = contact;
  const row = { id: newId("thr"), org_id: orgId, channel_id: channelId, contact_name: name };
  const whom = { contact_phone: phone, contact_user_id: userId };
  await trx
    .insertInto("messaging_threads")
    .values({ ...row, ...whom, last_inbound_at: null, last_message_at: at, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const locked = await lockContact(trx, channelId, contact);
  const [begun] = ofContact(locked, contact);
  if (!begun) throw new Error("a conversation that was begun is not there");
  const stoppedAt = await recallChoices(trx, begun, secrets);
  return {
    ...{ ...begun, opted_out_at: begun.opted_out_at ?? stoppedAt ?? null, hasLearned: true },
    others: locked.filter(({ id }) => id !== begun.id),
  };
}

/** Those that the contact wrote in under this number or user id, oldest first. */
function ofContact(threads: readonly ThreadRow[], { phone, userId }: Contact): ThreadRow[] {
  return threads
    .filter(
      ({ contact_phone, contact_user_id }) =>
        (phone !== null && contact_phone === phone) || (userId !== null && contact_user_id === userId),
    )
    .toSorted(
      (one, other) => one.created_at.getTime() - other.created_at.getTime() || (one.id < other.id ? -1 : 1),
    );
}

const rootOf = ({ id, same_contact_as: root }: Pick<ThreadRow, "id" | "same_contact_as">): string =>
  root ?? id;

/** Notes that these conversations are one contact's. Returns false if that was known. */
async function join(trx: Trx, known: ThreadRow, others: readonly ThreadRow[]): Promise<boolean> {
  const root = rootOf(known);
  const roots = others.map(rootOf).filter((one) => one !== root);
  if (roots.length === 0) return false;
  await trx
    .updateTable("messaging_threads")
    .set({ same_contact_as: root })
    .where((is) => is.or([is("id", "in", roots), is("same_contact_as", "in", roots)]))
    .execute();
  return true;
}

async function noteContact(trx: Trx, known: ThreadRow, { phone, userId, name }: Contact): Promise<ThreadRow> {
  const isSame =
    (name === null || name === known.contact_name) &&
    (phone === null || known.contact_phone !== null) &&
    (userId === null || known.contact_user_id !== null);
  if (isSame) return known;
  return trx
    .updateTable("messaging_threads as t")
    .set({
      contact_name: name ?? known.contact_name,
      contact_phone: unlessTaken("contact_phone", phone ?? known.contact_phone, known),
      contact_user_id: unlessTaken("contact_user_id", userId ?? known.contact_user_id, known),
    })
    .where("t.id", "=", known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Keeps the column if another conversation already has the value: the contact has written under both before. */
function unlessTaken(column: "contact_phone" | "contact_user_id", value: string | null, thread: ThreadRow) {
  return sql<string | null>`case when exists (
      select 1 from messaging_threads o where o.channel_id = ${thread.channel_id} and o.id <> ${thread.id}
      and ${sql.ref(`o.${column}`)} = ${value}
    ) then ${sql.ref(`t.${column}`)} else ${value} end`;
}

/**
 * Locks these contacts' conversations in a channel, in one order, with all others of theirs. Whoever writes about several
 * contacts, or about choices and the do-not-call list, does so first
 * (docs/decisions/messaging.md#conversations-are-locked-first).
 */
export async function lockContacts(
  trx: Trx,
  channelId: string,
  { phones, userIds = [] }: { readonly phones: readonly string[]; readonly userIds?: readonly string[] },
): Promise<ThreadRow[]> {
  const found = await trx
    .selectFrom("messaging_threads")
    .select(["id", "same_contact_as"])
    .where("channel_id", "=", channelId)
    .where(
      sql<boolean>`(contact_phone = any(${[...phones]}::text[]) or contact_user_id = any(${[...userIds]}::text[]))`,
    )
    .execute();
  return lockWithOthers(trx, found);
}

function lockContact(trx: Trx, channelId: string, { phone, userId }: Contact): Promise<ThreadRow[]> {
  return lockContacts(trx, channelId, {
    phones: phone === null ? [] : [phone],
    userIds: userId === null ? [] : [userId],
  });
}

/** Locks these conversations and all others of their contacts, in one order. */
export async function lockWithOthers(
  trx: Trx,
  found: readonly Pick<ThreadRow, "id" | "same_contact_as">[],
): Promise<ThreadRow[]> {
  if (found.length === 0) return [];
  const roots = [...new Set(found.map(rootOf))];
  return trx
    .selectFrom("messaging_threads")
    .selectAll()
    .where(sql<boolean>`(id = any(${roots}::text[]) or same_contact_as = any(${roots}::text[]))`)
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** Locks all conversations of a channel that is to be deleted: a message that comes locks them before the channel. */
export async function lockThreadsOf(trx: Trx, channelId: string): Promise<void> {
  await trx
    .selectFrom("messaging_threads")
    .select("id")
    .where("channel_id", "=", channelId)
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** Locks a conversation, and all others of its contact. */
export async function lockThreadWithOthers(trx: Trx, id: string): Promise<LockedThread | undefined> {
  const found = await findThread(trx, id);
  const locked = await lockWithOthers(trx, found ? [found] : []);
  const thread = locked.find((one) => one.id === id);
  return thread && { ...thread, others: locked.filter((one) => one.id !== id), hasLearned: false };
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
