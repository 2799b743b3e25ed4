import { newId } from "@parley/shared/ids.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import type { Insertable, Kysely } from "kysely";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { Tables } from "../../database/tables.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import type { Provider } from "../channels/provider.ts";
import type { MessagingDeps } from "../deps.ts";
import { insertMessage } from "../threads/message-store.ts";
import { type ThreadRow, updateThread } from "../threads/thread-store.ts";
import { isToSpeak } from "../voice/to-speak.ts";
import { SEND_THREAD } from "./send-job.ts";

/** Destination and author of a message, and the campaign that it is part of. */
export interface Addressed {
  readonly thread: ThreadRow;
  readonly channel: ChannelRow;
  readonly author: Pick<
    Insertable<Tables["messaging_messages"]>,
    "author" | "author_id" | "session_id" | "campaign_id"
  >;
  readonly at: Date;
}

/** A message in its provider's form: the type-specific part. */
export interface Outgoing {
  readonly type: string;
  /** Its text, for display. */
  readonly body: string | null;
  readonly payload: object;
}

/** Appends a text to a conversation's send queue; returns the message's id. `announce` the queue after the commit. */
export function queueText(
  trx: Kysely<Tables>,
  text: string,
  addressed: Addressed,
  deps: Pick<MessagingDeps, "queue" | "secrets">,
): Promise<string> {
  return queueMessage(trx, textFor(addressed.channel.provider, text), addressed, deps);
}

/** A text in the provider's own format. */
export function textFor(provider: Provider, text: string): Outgoing {
  const payload =
    provider === "instagram"
      ? { message: { text } }
      : { type: "text", text: { body: text, preview_url: true } };
  return { type: "text", body: text, payload };
}

/** WhatsApp timestamps have seconds: messages within one second keep their order of arrival here. */
function sentAtOf(at: Date, provider: Provider): Date {
  if (provider === "instagram") return at;
  return new Date(Math.floor(at.getTime() / 1_000) * 1_000);
}

/** `queueText` for a message of any type. */
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
    content: type === "text" || isToSpeak(payload) ? null : JSON.stringify(scrubber.json(payload)),
    sealed: secrets.seal(JSON.stringify(payload), SEAL_CONTEXT.channelMessage(id)),
    status: "queued",
    answered: true,
    sent_at: sentAtOf(at, channel.provider),
    created_at: at,
    ...author,
  });
  await updateThread(trx, thread.id, { last_message_at: at });
  await queue.add(trx, SEND_THREAD, { payload: { threadId: thread.id }, orgId, key: thread.id });
  return id;
}
