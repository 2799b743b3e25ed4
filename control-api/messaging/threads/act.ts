import type { SendMessage } from "@parley/shared/contracts/messaging.ts";
import { AppError, fieldError } from "@parley/shared/errors.ts";
import type { KeyPrincipal, MemberPrincipal } from "../../http/access/principal.ts";
import { findChannel, findOwnChannel } from "../channels/channel-store.ts";
import type { Provider } from "../channels/provider.ts";
import type { MessagingDeps } from "../deps.ts";
import { assertMayWrite } from "../opt-out/may-write.ts";
import { admitTemplate } from "../outbound/admit-templates.ts";
import { type Addressed, type Outgoing, queueMessage, textFor } from "../outbound/queue-message.ts";
import { splitFor } from "../outbound/split-text.ts";
import { isWindowOpen, windowClosed } from "../outbound/window.ts";
import { markAnswered, selectWaiting } from "./message-store.ts";
import { lockOwnThread, lockThreadOf, type ThreadRow, updateThread } from "./thread-store.ts";

type Actor = KeyPrincipal | MemberPrincipal;

/** A queued message, as the result of a send request. */
export interface Queued {
  readonly messageId: string;
  readonly threadId: string;
}

/**
 * Sends a message in a conversation. A member who writes takes the conversation over. Throws `AppError` not_found,
 * conflict (the window is closed and it is not a template), forbidden (the contact asked for no more messages); for
 * templates payment_required, spending_limit_reached.
 */
export async function sendInThread(
  { threadId, message }: { readonly threadId: string; readonly message: SendMessage },
  who: Actor,
  deps: MessagingDeps,
): Promise<Queued> {
  const queued = await deps.database.db.transaction().execute(async (trx) => {
    const nowMs = deps.clock.wallMs();
    if (message.template !== undefined) await admitTemplate(trx, beginning(who, new Date(nowMs)), deps);
    const thread = await lockOwnThread(trx, who.orgId, threadId);
    const channel = await findChannel(trx, who.orgId, thread.channel_id);
    const { provider } = channel;
    if (provider === "instagram") assertFitsInstagram(message);
    if (message.template === undefined && !isWindowOpen(thread, nowMs))
      throw new AppError("conflict", windowClosed(provider));
    await assertMayWrite(trx, thread, message.template === undefined ? "reply" : "begin");
    if (who.kind === "member") await takeOver(trx, thread, who.userId);
    const addressed = { thread, channel, author: authorOf(who, thread), at: new Date(nowMs) };
    return queueMessage(trx, outgoingOf(message, provider), addressed, deps);
  });
  deps.queue.announce();
  return { messageId: queued, threadId };
}

/**
 * Sends a template to a number, in its existing conversation or a new one. Throws `AppError` not_found, forbidden,
 * payment_required, spending_limit_reached.
 */
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
    const channel = await findOwnChannel(trx, { orgId, provider: "whatsapp", id: channelId });
    const at = new Date(deps.clock.wallMs());
    const contact = { phone: to, userId: null, name: null };
    await admitTemplate(trx, beginning(who, at), deps);
    const thread = await lockThreadOf(trx, { orgId, channelId, contact, at, secrets: deps.secrets });
    await assertMayWrite(trx, thread, "begin");
    const addressed = { thread, channel, author: authorOf(who, thread), at };
    return {
      messageId: await queueMessage(trx, outgoingOf(message, "whatsapp"), addressed, deps),
      threadId: thread.id,
    };
  });
  deps.queue.announce();
  return queued;
}

/** Hands the conversation to a person, or back to the agent. Throws `AppError` not_found. */
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

/** Marks a conversation read. Throws `AppError` not_found. */
export async function markRead(orgId: string, threadId: string, { database }: MessagingDeps): Promise<void> {
  await database.db.transaction().execute(async (trx) => {
    const thread = await lockOwnThread(trx, orgId, threadId);
    await updateThread(trx, thread.id, { unread: 0 });
  });
}

/** Assigns pending messages to a person and discards an answer in progress. `by` null: outside this dashboard. */
export async function takeOver(
  trx: MessagingDeps["database"]["db"],
  thread: ThreadRow,
  by: string | null,
): Promise<void> {
  if (thread.mode === "member" && thread.taken_by === by) return;
  const waiting = await selectWaiting(trx, thread.id);
  const ids = waiting.map(({ id }) => id);
  await markAnswered(trx, ids, thread.session_id);
  await updateThread(trx, thread.id, { mode: "member", taken_by: by, trouble: null, unread: 0 });
}

function beginning(who: Actor, at: Date) {
  return { orgId: who.orgId, keyId: who.kind === "key" ? who.keyId : "", at };
}

function authorOf(who: Actor, { session_id }: ThreadRow): Addressed["author"] {
  return who.kind === "member"
    ? { author: "member", author_id: who.userId, session_id }
    : { author: "key", author_id: who.keyId, session_id };
}

/** Throws `AppError` validation_failed. */
function assertFitsInstagram({ text, template }: SendMessage): void {
  if (template !== undefined)
    throw fieldError("validation_failed", "template", "Instagram has no templates; send a text.");
  if (splitFor("instagram", text ?? "").length > 1)
    throw fieldError(
      "validation_failed",
      "text",
      "An Instagram message has at most 1,000 bytes. Send a shorter one.",
    );
}

function outgoingOf({ text, template }: SendMessage, provider: Provider): Outgoing {
  if (template === undefined) return textFor(provider, text ?? "");
  const { name, language, components } = template;
  const payload = { type: "template", template: { name, language: { code: language }, components } };
  return { type: "template", body: name, payload };
}
