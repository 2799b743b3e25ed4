import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

export type MessageRow = Selectable<Tables["messaging_messages"]>;
type Trx = Kysely<Tables>;

/** Returns false if the message already exists. */
export async function insertMessage(
  trx: Trx,
  row: Insertable<Tables["messaging_messages"]>,
): Promise<boolean> {
  const inserted = await trx
    .insertInto("messaging_messages")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Messages the agent has not answered, oldest first, up to the first whose media are still downloading. */
export async function selectWaiting(db: Trx, threadId: string): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom("messaging_messages")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where("direction", "=", "in")
    .where("answered", "=", false)
    .orderBy("sent_at")
    .orderBy("arrived")
    .execute();
  const pulled = rows.findIndex(({ status }) => status === "pulling");
  return pulled === -1 ? rows : rows.slice(0, pulled);
}

/** Marks messages answered, and drops their sealed content, which is no longer needed. */
export async function markAnswered(
  trx: Trx,
  ids: readonly string[],
  sessionId: string | null,
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("messaging_messages")
    .set({ answered: true, sealed: null, ...(sessionId === null ? {} : { session_id: sessionId }) })
    .where("id", "in", [...ids])
    .where("status", "<>", "pulling")
    .execute();
}

/** Marks the next queued message `sending`. */
export async function takeNextQueued(db: Trx, threadId: string): Promise<MessageRow | undefined> {
  const { rows } = await sql<{ id: string }>`
    update messaging_messages set status = 'sending' where id = (
      select id from messaging_messages where thread_id = ${threadId} and status = 'queued' order by arrived limit 1
    ) and status = 'queued' returning id`.execute(db);
  const id = rows[0]?.id;
  return id === undefined
    ? undefined
    : db.selectFrom("messaging_messages").selectAll().where("id", "=", id).executeTakeFirst();
}

/** A run that died may or may not have asked WhatsApp: the outcome is unknown. */
export async function giveUpSending(db: Trx, threadId: string): Promise<void> {
  await db
    .updateTable("messaging_messages")
    .set({ status: "unknown" })
    .where("thread_id", "=", threadId)
    .where("status", "=", "sending")
    .execute();
}

/** Locks a message until the transaction ends. */
export function lockMessage(trx: Trx, id: string): Promise<MessageRow | undefined> {
  return trx.selectFrom("messaging_messages").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Locks a sent message by its provider id or ours. */
export function lockSent(
  trx: Trx,
  { channelId, wamid, messageId }: { channelId: string; wamid: string; messageId: string | null },
): Promise<MessageRow | undefined> {
  return trx
    .selectFrom("messaging_messages")
    .selectAll()
    .where("channel_id", "=", channelId)
    .where("direction", "=", "out")
    .where((is) => is.or([is("wamid", "=", wamid), is("id", "=", messageId)]))
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateMessage(
  trx: Trx,
  id: string,
  change: Partial<Pick<MessageRow, "status" | "wamid" | "sealed" | "body" | "sent_at" | "type">> & {
    readonly errors?: string | null;
    readonly content?: string | null;
    readonly media?: string | null;
    readonly answered?: boolean;
  },
): Promise<void> {
  await trx.updateTable("messaging_messages").set(change).where("id", "=", id).execute();
}
