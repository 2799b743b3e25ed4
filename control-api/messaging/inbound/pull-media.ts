import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { StoredMedia } from "../../database/messaging-tables.ts";
import type { Tables } from "../../database/tables.ts";
import {
  handles,
  type JobHandler,
  type JobKind,
  type JobRun,
  type WriteResult,
} from "../../jobs/job-kind.ts";
import { findChannel } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { ANSWER_THREAD } from "../outbound/answer-thread.ts";
import { lockMessage, type MessageRow, updateMessage } from "../threads/message-store.ts";
import { openMessage, sealMessage } from "../threads/sealed-message.ts";
import { findThread } from "../threads/thread-store.ts";
import { GraphError } from "../whatsapp/graph-api.ts";
import { raiseReceived } from "./raise-received.ts";

/** Pulls the media of a message; its event waits for them. */
export const PULL_MEDIA: JobKind<{ messageId: string }> = {
  name: "pull_message_media",
  payload: z.object({ messageId: z.string() }),
};
/** Over about ten minutes; WhatsApp keeps media for seven days. */
const ATTEMPTS = 7;
const SIDE_BY_SIDE = 4;
const MIB = 1_048_576;
/** What WhatsApp takes of each type. */
const MAX_BYTES: Readonly<Record<string, number>> = {
  image: 5 * MIB,
  sticker: MIB,
  audio: 16 * MIB,
  video: 16 * MIB,
  document: 100 * MIB,
};

export function pullsMedia(deps: MessagingDeps): JobHandler {
  return handles(PULL_MEDIA, (run) => pullMedia(run, deps), { attempts: ATTEMPTS, sideBySide: SIDE_BY_SIDE });
}

async function pullMedia(
  run: JobRun<{ messageId: string }>,
  deps: MessagingDeps,
): Promise<WriteResult | undefined> {
  const message = await deps.database.db
    .selectFrom("messaging_messages")
    .selectAll()
    .where("id", "=", run.payload.messageId)
    .executeTakeFirst();
  if (message?.status !== "pulling" || message.media === null) return undefined;
  const media = await pulled(message, message.media, { run, deps });
  return (trx) => keepPulled(trx, message.id, media, deps);
}

/** Throws what another try may cure; in the last one it is noted instead. */
async function pulled(
  message: MessageRow,
  media: StoredMedia,
  { run, deps }: { readonly run: JobRun<object>; readonly deps: MessagingDeps },
): Promise<StoredMedia> {
  try {
    const opened = await deps.senders.find(message.channel_id);
    if (!opened) throw new AppError("not_found", "The channel is not there any more.");
    const bytes = await opened.sender.download(media.id, MAX_BYTES[message.type] ?? MIB, run.signal);
    const key = `messages/${message.id}`;
    await deps.files.put(key, bytes);
    return { ...media, key, sizeBytes: bytes.length };
  } catch (error) {
    run.signal.throwIfAborted();
    const isFinal =
      run.attempt >= ATTEMPTS ||
      (error instanceof GraphError && error.meaning.fate === "refused") ||
      (error instanceof AppError && !error.retryable);
    if (!isFinal) throw error;
    return { ...media, error: messageOf(error) };
  }
}

/** The message is complete: its event is raised, and it is answered. */
async function keepPulled(
  trx: Kysely<Tables>,
  id: string,
  media: StoredMedia,
  deps: MessagingDeps,
): Promise<() => void> {
  const message = await lockMessage(trx, id);
  if (message?.status !== "pulling") return () => undefined;
  const { sealed, answered, thread_id: threadId, org_id: orgId, channel_id: channelId } = message;
  const opened = sealed === null ? undefined : openMessage(deps.secrets, id, sealed);
  const left = answered || !opened ? null : sealMessage(deps.secrets, id, { words: opened.words });
  await updateMessage(trx, id, { status: "received", media: JSON.stringify(media), sealed: left });
  const at = new Date(deps.clock.wallMs());
  const thread = await findThread(trx, threadId);
  if (opened?.told && thread) {
    const { body, content, raw, from } = opened.told;
    const whose = { orgId, channelId, threadId, messageId: id, wamid: message.wamid ?? "" };
    const what = { type: message.type, body, content, raw, media: deps.mediaLinks.shown(id, media) };
    const who = { from, contactName: thread.contact_name, sentAt: message.sent_at };
    await raiseReceived(trx, { ...whose, ...what, ...who }, at);
  }
  const { agent_id: agentId } = await findChannel(trx, orgId, channelId);
  if (!answered && agentId !== null)
    await deps.queue.add(trx, ANSWER_THREAD, { payload: { threadId }, orgId, key: threadId });
  return () => {
    deps.queue.announce();
    deps.announceDeliveries();
  };
}
