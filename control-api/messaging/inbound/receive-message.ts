import type { CountedMessages } from "@parley/shared/contracts/billing.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import type { Kysely } from "kysely";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { Tables } from "../../database/tables.ts";
import { type ChannelRow, toldPhone } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { noteWish, shareWishes } from "../opt-out/note-wish.ts";
import { ANSWER_THREAD } from "../outbound/answer-thread.ts";
import { insertMessage } from "../threads/message-store.ts";
import { sealMessage } from "../threads/sealed-message.ts";
import { lockThreadOf, noteReceived, type ThreadRow } from "../threads/thread-store.ts";
import { asksForAnswer, wordsOf } from "../threads/words.ts";
import type { InboundMessage } from "./inbound-item.ts";
import { LEARN_NAME } from "./learn-name.ts";
import { messageIdOf, providerIdOf } from "./message-id.ts";
import { PULL_MEDIA } from "./pull-media.ts";
import { raiseReceived } from "./raise-received.ts";
import { replaceOriginal } from "./replace-original.ts";

/** How long an agent waits for further messages: people write in bursts. */
const GATHER_MS = 700;

type Deps = Pick<
  MessagingDeps,
  "database" | "clock" | "secrets" | "queue" | "announceDeliveries" | "onWish" | "countMessages"
>;

/** Stores a message once per id, raises its event, and has it answered. Returns false if it was already stored. */
export async function receiveMessage(
  message: InboundMessage,
  channel: ChannelRow,
  deps: Deps,
): Promise<boolean> {
  const { database, clock, queue } = deps;
  const at = new Date(clock.wallMs());
  const isNew = await database.db.transaction().execute(async (trx) => {
    const { id: channelId, org_id: orgId } = channel;
    const contact = { phone: message.phone, userId: message.userId, name: message.contactName };
    const thread = await lockThreadOf(trx, { orgId, channelId, contact, at, secrets: deps.secrets });
    const kept = await keepMessage(trx, message, { thread, channel, at, deps });
    if (kept === undefined) {
      if (thread.hasLearned) await shareWishes(trx, thread, deps);
      return false;
    }
    await noteReceived(trx, thread.id, message.sentAt);
    const isOptOut = await noteWish(trx, { thread, text: message.body, sentAt: message.sentAt }, deps);
    await replaceOriginal(trx, message, { channel, deps });
    const isAnswered = kept.isAnswered || isOptOut;
    await followUp(trx, message, { thread, channel, at, deps, ...kept, isAnswered });
    // Instagram reveals names only on request.
    if (channel.provider === "instagram" && thread.contact_name === null)
      await queue.add(trx, LEARN_NAME, { payload: { threadId: thread.id }, orgId, key: thread.id });
    if (message.replaces === null) await deps.countMessages(trx, receivedOne(kept, channel));
    return true;
  });
  if (isNew) {
    queue.announce();
    deps.announceDeliveries();
  }
  return isNew;
}

interface Place {
  readonly thread: ThreadRow;
  readonly channel: ChannelRow;
  readonly at: Date;
}

interface Kept {
  readonly messageId: string;
  readonly wamid: string;
  /** The message needs no answer. */
  readonly isAnswered: boolean;
}

async function keepMessage(
  trx: Kysely<Tables>,
  message: InboundMessage,
  { thread, channel, at, deps }: Place & { readonly deps: Pick<MessagingDeps, "secrets"> },
): Promise<Kept | undefined> {
  const wamid = providerIdOf(message);
  const messageId = messageIdOf(channel.id, wamid);
  const scrubber = new Scrubber(await selectPiiPolicy({ db: trx }, channel.org_id));
  const isAnswered = thread.mode === "member" || channel.agent_id === null || !asksForAnswer(message.type);
  const words = wordsOf({ ...message, filename: message.media?.filename ?? null });
  const { body, content, raw } = message;
  const told = message.media === null ? {} : { told: { body, content, raw, from: fromOf(message) } };
  const sealed = { words, ...told };
  const isNew = await insertMessage(trx, {
    id: messageId,
    org_id: channel.org_id,
    channel_id: channel.id,
    thread_id: thread.id,
    direction: "in",
    wamid,
    type: message.type,
    body: message.body === null ? null : scrubber.text(message.body),
    content: message.content === null ? null : JSON.stringify(scrubber.json(message.content)),
    media: message.media === null ? null : JSON.stringify(message.media),
    sealed: isAnswered && message.media === null ? null : sealMessage(deps.secrets, messageId, sealed),
    author: "contact",
    author_id: null,
    status: message.media === null ? "received" : "pulling",
    answered: isAnswered,
    sent_at: message.sentAt,
    created_at: at,
  });
  return isNew ? { messageId, wamid, isAnswered } : undefined;
}

/** Downloads media first; any other message is raised and answered at once. */
async function followUp(
  trx: Kysely<Tables>,
  message: InboundMessage,
  {
    thread,
    channel,
    at,
    deps,
    messageId,
    wamid,
    isAnswered,
  }: Place & Kept & { readonly deps: Pick<MessagingDeps, "queue"> },
): Promise<void> {
  const { org_id: orgId, id: channelId } = channel;
  const { id: threadId } = thread;
  if (message.media !== null) {
    await deps.queue.add(trx, PULL_MEDIA, { payload: { messageId }, orgId });
    return;
  }
  const { type, body, content, raw, sentAt } = message;
  const whose = { orgId, channelId, channelPhone: toldPhone(channel), threadId, messageId, wamid };
  const what = { type, body, content, raw, media: null };
  // A delivery without a profile is from somebody whose name may be known.
  const who = { from: fromOf(message), contactName: thread.contact_name, sentAt };
  if (channel.provider === "whatsapp") await raiseReceived(trx, { ...whose, ...what, ...who }, at);
  if (isAnswered) return;
  const runAt = new Date(at.getTime() + GATHER_MS);
  await deps.queue.add(trx, ANSWER_THREAD, { payload: { threadId }, orgId, key: threadId, runAt });
}

/** Its session is not known before it is answered. */
function receivedOne(
  { messageId, isAnswered }: Kept,
  { org_id: orgId, agent_id, provider: channel }: ChannelRow,
): CountedMessages {
  const agentId = isAnswered ? null : agent_id;
  return {
    ...{ orgId, sessionId: null, agentId, keyId: "", channel },
    kind: "conversation",
    messageIds: [messageId],
  };
}

function fromOf({ phone, userId }: InboundMessage): string {
  return phone ?? userId ?? "";
}
