import type { Thread, ThreadMessage, ThreadsQuery } from "@parley/shared/contracts/messaging.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { Provider } from "../channels/provider.ts";
import type { MediaLinks } from "../inbound/media-links.ts";
import { marketingStopped } from "../opt-out/choices.ts";
import { mayReply } from "../opt-out/may-write.ts";
import { isWindowOpen, windowEndOf } from "../outbound/window.ts";
import type { MessageRow } from "./message-store.ts";
import type { ThreadRow } from "./thread-store.ts";

type Db = Kysely<Tables>;
const PREVIEW_CHARS = 140;

type ShownRow = ThreadRow & {
  readonly preview: string | null;
  readonly provider: Provider;
  readonly isStopped: boolean;
};

function shownThreads(db: Db, orgId: string) {
  return db
    .selectFrom("messaging_threads")
    .selectAll()
    .select(
      sql<string | null>`(select coalesce(left(m.body, ${PREVIEW_CHARS}), '[' || m.type || ']')
        from messaging_messages m where m.thread_id = messaging_threads.id
        order by m.sent_at desc, m.arrived desc limit 1)`.as("preview"),
    )
    .select(
      sql<Provider>`(select c.provider from messaging_channels c where c.id = messaging_threads.channel_id)`.as(
        "provider",
      ),
    )
    .select(marketingStopped.as("isStopped"))
    .where("org_id", "=", orgId);
}

/** Conversations, those with the newest messages first. */
export async function listThreads(
  db: Db,
  orgId: string,
  { channelId, mode, before, limit }: ThreadsQuery,
  nowMs: number,
): Promise<Thread[]> {
  let threads = shownThreads(db, orgId).orderBy("last_message_at", "desc").orderBy("id", "desc").limit(limit);
  if (channelId !== undefined) threads = threads.where("channel_id", "=", channelId);
  if (mode !== undefined) threads = threads.where("mode", "=", mode);
  if (before !== undefined)
    threads = threads.where(
      sql<boolean>`(last_message_at, id) < (select last_message_at, id from messaging_threads where org_id = ${orgId} and id = ${before})`,
    );
  return (await threads.execute()).map((row) => toThread(row, nowMs));
}

/** Throws `AppError` not_found. */
export async function readThread(db: Db, orgId: string, id: string, nowMs: number): Promise<Thread> {
  const row = await shownThreads(db, orgId).where("id", "=", id).executeTakeFirst();
  if (row) return toThread(row, nowMs);
  throw new AppError("not_found", `There is no conversation ${id} in this organization.`);
}

/** The newest messages before a given one, oldest first. */
export async function listMessages(
  db: Db,
  {
    threadId,
    before,
    limit,
  }: { readonly threadId: string; readonly before?: string | undefined; readonly limit: number },
  links: MediaLinks,
): Promise<ThreadMessage[]> {
  let messages = db
    .selectFrom("messaging_messages")
    .selectAll()
    .where("thread_id", "=", threadId)
    .orderBy("sent_at", "desc")
    .orderBy("arrived", "desc")
    .limit(limit);
  if (before !== undefined)
    messages = messages.where(
      sql<boolean>`(sent_at, arrived) < (select sent_at, arrived from messaging_messages where thread_id = ${threadId} and id = ${before})`,
    );
  const rows = await messages.execute();
  return rows.toReversed().map((row) => toMessage(row, links));
}

function toThread(row: ShownRow, nowMs: number): Thread {
  return {
    id: row.id,
    channelId: row.channel_id,
    channelKind: row.provider,
    contactPhone: row.contact_phone,
    contactName: row.contact_name,
    mode: row.mode,
    takenBy: row.taken_by,
    trouble: row.trouble,
    unread: row.unread,
    windowEndsAt: windowEndOf(row)?.toISOString() ?? null,
    isWindowOpen: isWindowOpen(row, nowMs),
    isOptedOut: row.opted_out_at !== null || row.isStopped,
    mayReply: mayReply(row),
    lastMessageAt: row.last_message_at.toISOString(),
    preview: row.preview,
  };
}

function toMessage(row: MessageRow, links: MediaLinks): ThreadMessage {
  return {
    id: row.id,
    direction: row.direction === "in" ? "in" : "out",
    author: row.author,
    type: row.type,
    body: row.body,
    content: row.content,
    media: row.media === null ? null : links.shown(row.id, row.media),
    status: row.status,
    errors: (row.errors ?? []) as ThreadMessage["errors"],
    wamid: row.wamid,
    sentAt: row.sent_at.toISOString(),
  };
}
