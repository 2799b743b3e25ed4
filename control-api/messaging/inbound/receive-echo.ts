import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import type { Kysely } from "kysely";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { Tables } from "../../database/tables.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { countSent } from "../outbound/count-sent.ts";
import { takeOver } from "../threads/act.ts";
import { insertMessage, updateMessage } from "../threads/message-store.ts";
import { lockThreadOf, updateThread } from "../threads/thread-store.ts";
import type { Echo } from "./inbound-item.ts";
import { messageIdOf } from "./message-id.ts";

const IN_DOUBT = ["sending", "unknown"];

type Deps = Pick<MessagingDeps, "database" | "clock" | "secrets" | "countMessages">;

/**
 * Handles an outbound message of the account. Ours are recognized by id, or by text while the response to the send
 * request is still pending. Any other was written in the provider's own app, and takes the conversation over
 * (docs/decisions/messaging.md#echo). Returns false if it is not new.
 */
export async function receiveEcho(echo: Echo, channel: ChannelRow, deps: Deps): Promise<boolean> {
  const at = new Date(deps.clock.wallMs());
  return deps.database.db.transaction().execute(async (trx) => {
    const contact = { phone: null, userId: echo.userId, name: null };
    const { id: channelId, org_id: orgId } = channel;
    const thread = await lockThreadOf(trx, { orgId, channelId, contact, at, secrets: deps.secrets });
    const scrubber = new Scrubber(await selectPiiPolicy({ db: trx }, orgId));
    const body = echo.body === null ? null : scrubber.text(echo.body);
    if (await isOurs(trx, { wamid: echo.wamid, body }, { channelId, threadId: thread.id, deps }))
      return false;
    const isNew = await insertMessage(trx, {
      id: messageIdOf(channelId, echo.wamid),
      org_id: orgId,
      channel_id: channelId,
      thread_id: thread.id,
      direction: "out",
      wamid: echo.wamid,
      type: echo.type,
      body,
      content: echo.content === null ? null : JSON.stringify(scrubber.json(echo.content)),
      sealed: null,
      author: "member",
      author_id: null,
      status: "sent",
      session_id: thread.session_id,
      answered: true,
      sent_at: echo.sentAt,
      created_at: at,
    });
    if (!isNew) return false;
    await takeOver(trx, thread, null);
    await updateThread(trx, thread.id, { last_message_at: at });
    return true;
  });
}

/** `body` is masked, as sent messages are stored. */
async function isOurs(
  trx: Kysely<Tables>,
  { wamid, body }: Pick<Echo, "wamid" | "body">,
  {
    channelId,
    threadId,
    deps,
  }: { readonly channelId: string; readonly threadId: string; readonly deps: Deps },
): Promise<boolean> {
  const sent = await trx
    .selectFrom("messaging_messages")
    .selectAll()
    .where("channel_id", "=", channelId)
    .where("direction", "=", "out")
    .where((is) =>
      is.or([
        is("wamid", "=", wamid),
        is.and([is("thread_id", "=", threadId), is("wamid", "is", null), is("status", "in", IN_DOUBT)]),
      ]),
    )
    .orderBy("arrived")
    .forUpdate()
    .execute();
  if (sent.some((message) => message.wamid === wamid)) return true;
  const meant = sent.find((message) => body !== null && message.body === body);
  if (!meant) return false;
  await updateMessage(trx, meant.id, { wamid, status: "sent", sealed: null });
  await countSent(trx, meant, "sent", deps);
  return true;
}
