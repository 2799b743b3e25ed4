import { AppError, messageOf } from "@parley/shared/errors.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import type { Kysely } from "kysely";
import { z } from "zod";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { StoredMedia } from "../../database/messaging-tables.ts";
import type { Tables } from "../../database/tables.ts";
import {
  handles,
  type JobHandler,
  type JobKind,
  type JobRun,
  type WriteResult,
} from "../../jobs/job-kind.ts";
import { findChannel, toldPhone } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { GraphError } from "../graph/graph-api.ts";
import { noteWish } from "../opt-out/note-wish.ts";
import { ANSWER_THREAD } from "../outbound/answer-thread.ts";
import { lockMessage, type MessageRow, updateMessage } from "../threads/message-store.ts";
import { openMessage, sealMessage } from "../threads/sealed-message.ts";
import { type LockedThread, lockThreadWithOthers } from "../threads/thread-store.ts";
import { type Heard, hearVoice } from "../voice/hear-voice.ts";
import { raiseReceived } from "./raise-received.ts";

/** Downloads a message's media; its event waits for them. */
export const PULL_MEDIA: JobKind<{ messageId: string }> = {
  name: "pull_message_media",
  payload: z.object({ messageId: z.string() }),
};
/** Over about ten minutes; WhatsApp keeps media for seven days. */
const ATTEMPTS = 7;
const SIDE_BY_SIDE = 4;
const CUT_OFF = "Parley stopped each time it downloaded this file.";
/** When the message does not state a type, the media server does. */
const UNKNOWN_TYPE = "application/octet-stream";

export function pullsMedia(deps: MessagingDeps): JobHandler {
  return handles(PULL_MEDIA, (run) => pullMedia(run, deps), {
    attempts: ATTEMPTS,
    sideBySide: SIDE_BY_SIDE,
    cutOff:
      ({ messageId }) =>
      (trx) =>
        gaveUp(trx, messageId, deps),
  });
}

/** The message is told and answered without its media, as after any other download that failed for good. */
async function gaveUp(trx: Kysely<Tables>, messageId: string, deps: MessagingDeps): Promise<() => void> {
  const message = await trx
    .selectFrom("messaging_messages")
    .select(["id", "thread_id", "media"])
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (!message?.media) return () => undefined;
  return keepPulled(trx, message, { media: { ...message.media, error: CUT_OFF }, heard: undefined }, deps);
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
  const { media, bytes } = await pulled(message, message.media, { run, deps });
  const heard = bytes && (await hearVoice(message, bytes, run.signal, deps));
  return (trx) => keepPulled(trx, message, { media, heard }, deps);
}

interface Pulled {
  readonly media: StoredMedia;
  /** Absent if the download failed for good. */
  readonly bytes?: Uint8Array;
}

/** Throws errors that a retry may cure; on the last attempt, it records them instead. */
async function pulled(
  message: MessageRow,
  media: StoredMedia,
  { run, deps }: { readonly run: JobRun<object>; readonly deps: MessagingDeps },
): Promise<Pulled> {
  try {
    const opened = await deps.senders.find(message.channel_id);
    if (!opened) throw new AppError("not_found", "The channel no longer exists.");
    const sent = { id: media.id, type: message.type };
    const { bytes, mimeType } = await opened.sender.download(sent, run.signal);
    const key = `messages/${message.id}`;
    await deps.files.put(key, bytes);
    const told = media.mimeType === UNKNOWN_TYPE && mimeType ? { mimeType } : {};
    return { media: { ...media, ...told, key, sizeBytes: bytes.length }, bytes };
  } catch (error) {
    run.signal.throwIfAborted();
    const isFinal =
      run.attempt >= ATTEMPTS ||
      (error instanceof GraphError && error.meaning.fate === "refused") ||
      (error instanceof AppError && !error.retryable);
    if (!isFinal) throw error;
    return { media: { ...media, error: messageOf(error) } };
  }
}

/** Completes the message: raises its event and has it answered. */
async function keepPulled(
  trx: Kysely<Tables>,
  { id, thread_id: threadId }: Pick<MessageRow, "id" | "thread_id">,
  { media, heard }: { readonly media: StoredMedia; readonly heard: Heard | undefined },
  deps: MessagingDeps,
): Promise<() => void> {
  // Before its message, as whoever writes in a conversation does.
  const thread = await lockThreadWithOthers(trx, threadId);
  const message = await lockMessage(trx, id);
  if (message?.status !== "pulling") return () => undefined;
  const { sealed, answered, org_id: orgId, channel_id: channelId } = message;
  const opened = sealed === null ? undefined : openMessage(deps.secrets, id, sealed);
  const left =
    answered || !opened ? null : sealMessage(deps.secrets, id, { words: heard?.words ?? opened.words });
  await updateMessage(trx, id, { status: "received", media: JSON.stringify(media), sealed: left });
  const at = new Date(deps.clock.wallMs());
  const isOptOut =
    heard?.text && thread ? await noteHeard(trx, heard.text, { message, thread, deps }) : false;
  const channel = await findChannel(trx, orgId, channelId);
  const { agent_id: agentId, provider } = channel;
  if (opened?.told && thread && provider === "whatsapp") {
    const { body, content, raw, from } = opened.told;
    const place = { orgId, channelId, channelPhone: toldPhone(channel) };
    const whose = { ...place, threadId, messageId: id, wamid: message.wamid ?? "" };
    const what = { type: message.type, body, content, raw, media: deps.mediaLinks.shown(id, media) };
    const who = { from, contactName: thread.contact_name, sentAt: message.sent_at };
    await raiseReceived(trx, { ...whose, ...what, ...who }, at);
  }
  if (!answered && !isOptOut && agentId !== null)
    await deps.queue.add(trx, ANSWER_THREAD, { payload: { threadId }, orgId, key: threadId });
  return () => {
    deps.queue.announce();
    deps.announceDeliveries();
  };
}

interface Spoken {
  readonly message: MessageRow;
  readonly thread: LockedThread;
  readonly deps: Pick<MessagingDeps, "onWish" | "secrets">;
}

/** What was said counts as if it were written: it is shown, masked. Returns true for a wish for no more messages. */
async function noteHeard(
  trx: Kysely<Tables>,
  text: string,
  { message: { id, org_id: orgId, sent_at: sentAt }, thread, deps }: Spoken,
): Promise<boolean> {
  const scrubber = new Scrubber(await selectPiiPolicy({ db: trx }, orgId));
  await updateMessage(trx, id, { body: scrubber.text(text) });
  return noteWish(trx, { thread, text, sentAt }, deps);
}
