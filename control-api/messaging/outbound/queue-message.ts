import { newId } from "@parley/shared/ids.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import type { Insertable, Kysely } from "kysely";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { Tables } from "../../database/tables.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { insertMessage } from "../threads/message-store.ts";
import { type ThreadRow, updateThread } from "../threads/thread-store.ts";
import { SEND_THREAD } from "./send-thread.ts";

/** Where a message goes, and who wrote it. */
export interface Addressed {
  readonly thread: ThreadRow;
  readonly channel: ChannelRow;
  readonly author: Pick<Insertable<Tables["messaging_messages"]>, "author" | "author_id" | "session_id">;
  readonly at: Date;
}

/** A message as WhatsApp is to get it: what is specific to its type. */
export interface Outgoing {
  readonly type: string;
  /** Its words, for people. */
  readonly body: string | null;
  readonly payload: object;
}

/** Puts a text at the end of what is to be sent in a conversation; gives the message's id. `announce` the queue after the commit. */
export function queueText(
  trx: Kysely<Tables>,
  text: string,
  addressed: Addressed,
  deps: Pick<MessagingDeps, "queue" | "secrets">,
): Promise<string> {
  const payload = { type: "text", text: { body: text, preview_url: true } };
  return queueMessage(trx, { type: "text", body: text, payload }, addressed, deps);
}

/** Providers tell times in seconds: what was written within one is in the order in which it came here. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1_000) * 1_000);
}

/** The same for a message of any type. */
export async function queueMessage(
  trx: Kysely<Tables>,
  { type, body, payload }: Outgoing,
  { thread, channel, author, at }: Addressed,
  { queue, secrets }: Pick<MessagingDeps, "queue" | "secrets">,
): Promise<string> {
  const id = newId("msg");
  const { org_id: orgId } = channel;
  const scrubber = new Scrubber(await selectPiiPolicy({ db: trx }, orgId));
  await insertMessage(trx, {
    id,
    org_id: orgId,
    channel_id: channel.id,
    thread_id: thread.id,
    direction: "out",
    wamid: null,
    type,
    body: body === null ? null : scrubber.text(body),
    content: type === "text" ? null : JSON.stringify(scrubber.json(payload)),
    sealed: secrets.seal(JSON.stringify(payload), SEAL_CONTEXT.channelMessage(id)),
    status: "queued",
    answered: true,
    sent_at: wholeSecond(at),
    created_at: at,
    ...author,
  });
  await updateThread(trx, thread.id, { last_message_at: at });
  await queue.add(trx, SEND_THREAD, { payload: { threadId: thread.id }, orgId, key: thread.id });
  return id;
}
