import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import type { Kysely } from "kysely";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { Tables } from "../../database/tables.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import type { MessagingDeps } from "../deps.ts";
import { updateMessage } from "../threads/message-store.ts";
import { sealMessage } from "../threads/sealed-message.ts";
import type { InboundMessage } from "./inbound-item.ts";

/** Empties a message that its contact deleted, or replaces the text of one they edited, also for the agent. */
export async function replaceOriginal(
  trx: Kysely<Tables>,
  { type, body, replaces }: InboundMessage,
  { channel, deps }: { readonly channel: ChannelRow; readonly deps: Pick<MessagingDeps, "secrets"> },
): Promise<void> {
  if (replaces === null) return;
  const original = await trx
    .selectFrom("messaging_messages")
    .selectAll()
    .where("channel_id", "=", channel.id)
    .where("wamid", "=", replaces)
    .where("direction", "=", "in")
    .forUpdate()
    .executeTakeFirst();
  if (!original) return;
  if (type === "revoke") {
    await updateMessage(trx, original.id, { body: null, content: null, sealed: null, answered: true });
    return;
  }
  if (body === null) return;
  const scrubber = new Scrubber(await selectPiiPolicy({ db: trx }, channel.org_id));
  const isWaiting = original.sealed !== null && original.media === null;
  const sealed = isWaiting ? { sealed: sealMessage(deps.secrets, original.id, { words: body }) } : {};
  await updateMessage(trx, original.id, { body: scrubber.text(body), ...sealed });
}
