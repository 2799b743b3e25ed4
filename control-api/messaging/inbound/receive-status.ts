import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { raiseOrgEvent } from "../../webhooks/raise-org-event.ts";
import { type ChannelRow, toldPhone } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { isStopped, noteStopped } from "../opt-out/note-preference.ts";
import { countSent } from "../outbound/count-sent.ts";
import { isNews, mayBecome } from "../outbound/message-states.ts";
import { lockSent, updateMessage } from "../threads/message-store.ts";
import { lockContacts } from "../threads/thread-store.ts";
import { wordsOfCode } from "../whatsapp/graph-errors.ts";
import type { StatusUpdate } from "./inbound-item.ts";

/** Stores a message's delivery status if it advanced, and raises the event. Returns false if it is not news. */
export async function receiveStatus(
  status: StatusUpdate,
  channel: ChannelRow,
  deps: Pick<MessagingDeps, "database" | "clock" | "onWish" | "announceDeliveries" | "countMessages">,
): Promise<boolean> {
  const { database, clock, announceDeliveries } = deps;
  const at = new Date(clock.wallMs());
  const isStop = status.errors?.some(isStopped) === true;
  const contact = contactOf(status);
  const isTold = await database.db.transaction().execute(async (trx) => {
    if (isStop) await lockContact(trx, channel.id, contact);
    if (!(await advance(trx, channel.id, { ...status, now: at }))) return false;
    await noteAtMessage(trx, status, { channelId: channel.id, deps });
    if (isStop) await noteStopped(trx, { ...contact, at: status.at }, { channel, onWish: deps.onWish });
    if (channel.provider !== "whatsapp") return true;
    await raiseOrgEvent(trx, {
      orgId: channel.org_id,
      at,
      event: {
        event: "whatsapp.message.status",
        channelId: channel.id,
        channelPhone: toldPhone(channel),
        wamid: status.wamid,
        status: status.status,
        recipient: status.recipient,
        timestamp: status.at.toISOString(),
        errors: status.errors === null ? null : [...status.errors],
        pricing: status.pricing,
        conversation: status.conversation,
      },
    });
    return true;
  });
  if (isTold) announceDeliveries();
  return isTold;
}

/** Keeps one row per provider message, even if not sent from here. Returns false if the status does not advance. */
async function advance(
  trx: Kysely<Tables>,
  channelId: string,
  { wamid, status, now }: Pick<StatusUpdate, "wamid" | "status"> & { readonly now: Date },
): Promise<boolean> {
  if (!isNews(undefined, status)) return false;
  const first = await trx
    .insertInto("messaging_statuses")
    .values({ channel_id: channelId, wamid, status, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("wamid")
    .executeTakeFirst();
  if (first) return true;
  const known = await trx
    .selectFrom("messaging_statuses")
    .select("status")
    .where("channel_id", "=", channelId)
    .where("wamid", "=", wamid)
    .forUpdate()
    .executeTakeFirst();
  if (!isNews(known?.status, status)) return false;
  await trx
    .updateTable("messaging_statuses")
    .set({ status, updated_at: now })
    .where("channel_id", "=", channelId)
    .where("wamid", "=", wamid)
    .execute();
  return true;
}

/** A status may precede the response to the send request, or replace one that never arrived. */
async function noteAtMessage(
  trx: Kysely<Tables>,
  update: StatusUpdate,
  { channelId, deps }: { readonly channelId: string; readonly deps: Pick<MessagingDeps, "countMessages"> },
): Promise<void> {
  const { wamid, messageId, status } = update;
  const message = await lockSent(trx, { channelId, wamid, messageId });
  if (!message || !mayBecome(message.status, status)) return;
  const errors = update.errors?.map(inWords);
  await updateMessage(trx, message.id, {
    status,
    wamid,
    sealed: null,
    ...(errors === undefined ? {} : { errors: JSON.stringify(errors) }),
  });
  await countSent(trx, message, status, deps);
}

interface Recipient {
  readonly phone: string | null;
  readonly userId: string | null;
}

/** Before the message: whoever writes in a conversation locks it before its messages. */
async function lockContact(
  trx: Kysely<Tables>,
  channelId: string,
  { phone, userId }: Recipient,
): Promise<void> {
  await lockContacts(trx, channelId, {
    phones: phone === null ? [] : [phone],
    userIds: userId === null ? [] : [userId],
  });
}

function contactOf({ recipient }: StatusUpdate): Recipient {
  if (recipient === "") return { phone: null, userId: null };
  return recipient.startsWith("+") ? { phone: recipient, userId: null } : { phone: null, userId: recipient };
}

function inWords(error: Readonly<Record<string, unknown>>): { code: number | null; message: string } {
  const code = typeof error.code === "number" ? error.code : null;
  const title = typeof error.title === "string" ? error.title : "it gave no reason";
  return { code, message: code === null ? title : wordsOfCode(code, title) };
}
