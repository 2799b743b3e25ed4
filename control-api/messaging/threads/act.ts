import type { SendMessage } from "@parley/shared/contracts/messaging.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { KeyPrincipal, MemberPrincipal } from "../../http/access/principal.ts";
import { findChannel } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { type Addressed, type Outgoing, queueMessage } from "../outbound/queue-message.ts";
import { isWindowOpen, WINDOW_CLOSED } from "../outbound/window.ts";
import { markAnswered, selectWaiting } from "./message-store.ts";
import { lockOwnThread, lockThreadOf, type ThreadRow, updateThread } from "./thread-store.ts";

type Actor = KeyPrincipal | MemberPrincipal;

/** What a request to send put into the queue. */
export interface Queued {
  readonly messageId: string;
  readonly threadId: string;
}

/**
 * Sends a message in a conversation. A member who writes takes the conversation over. Throws `AppError` not_found, conflict (the
 * window is closed and it is no template).
 */
export async function sendInThread(
  { threadId, message }: { readonly threadId: string; readonly message: SendMessage },
  who: Actor,
  deps: MessagingDeps,
): Promise<Queued> {
  const queued = await deps.database.db.transaction().execute(async (trx) => {
    const thread = await lockOwnThread(trx, who.orgId, threadId);
    const nowMs = deps.clock.wallMs();
    if (message.template === undefined && !isWindowOpen(thread, nowMs))
      throw new AppError("conflict", WINDOW_CLOSED);
    if (who.kind === "member") await takeOver(trx, thread, who.userId);
    const channel = await findChannel(trx, who.orgId, thread.channel_id);
    const addressed = { thread, channel, author: authorOf(who, thread), at: new Date(nowMs) };
    return queueMessage(trx, outgoingOf(message), addressed, deps);
  });
  deps.queue.announce();
  return { messageId: queued, threadId };
}

/** Sends a template to a number, in the conversation that there is or in a new one. Throws `AppError` not_found. */
export async function beginThread(
  {
    channelId,
    to,
    message,
  }: { readonly channelId: string; readonly to: string; readonly message: SendMessage },
  who: Actor,
  deps: MessagingDeps,
): Promise<Queued> {
  const { orgId } = who;
  const queued = await deps.database.db.transaction().execute(async (trx) => {
    const channel = await findChannel(trx, orgId, channelId);
    const at = new Date(deps.clock.wallMs());
    const contact = { phone: to, userId: null, name: null };
    const thread = await lockThreadOf(trx, { orgId, channelId, contact, at });
    const addressed = { thread, channel, author: authorOf(who, thread), at };
    return { messageId: await queueMessage(trx, outgoingOf(message), addressed, deps), threadId: thread.id };
  });
  deps.queue.announce();
  return queued;
}

/** A person answers from now on, or the agent again. Throws `AppError` not_found. */
export async function changeMode(
  { threadId, mode }: { readonly threadId: string; readonly mode: "agent" | "member" },
  who: Actor,
  { database }: MessagingDeps,
): Promise<void> {
  await database.db.transaction().execute(async (trx) => {
    const thread = await lockOwnThread(trx, who.orgId, threadId);
    if (mode === "agent") await updateThread(trx, thread.id, { mode, taken_by: null });
    else await takeOver(trx, thread, who.kind === "member" ? who.userId : who.keyId);
  });
}

/** Somebody has read it. Throws `AppError` not_found. */
export async function markRead(orgId: string, threadId: string, { database }: MessagingDeps): Promise<void> {
  await database.db.transaction().execute(async (trx) => {
    const thread = await lockOwnThread(trx, orgId, threadId);
    await updateThread(trx, thread.id, { unread: 0 });
  });
}

/** What waits for the agent is the person's now; an answer that is under way is given up. */
async function takeOver(trx: MessagingDeps["database"]["db"], thread: ThreadRow, by: string): Promise<void> {
  if (thread.mode === "member" && thread.taken_by === by) return;
  const waiting = await selectWaiting(trx, thread.id);
  const ids = waiting.map(({ id }) => id);
  await markAnswered(trx, ids, thread.session_id);
  await updateThread(trx, thread.id, { mode: "member", taken_by: by, trouble: null, unread: 0 });
}

function authorOf(who: Actor, { session_id }: ThreadRow): Addressed["author"] {
  return who.kind === "member"
    ? { author: "member", author_id: who.userId, session_id }
    : { author: "key", author_id: who.keyId, session_id };
}

function outgoingOf({ text, template }: SendMessage): Outgoing {
  if (template === undefined) {
    const body = text ?? "";
    return { type: "text", body, payload: { type: "text", text: { body, preview_url: true } } };
  }
  const { name, language, components } = template;
  const payload = { type: "template", template: { name, language: { code: language }, components } };
  return { type: "template", body: name, payload };
}
