import { storable, storableText } from "@parley/shared/contracts/storable.ts";
import { z } from "zod";
import {
  type ContactEntry,
  type InboundMessage,
  readMessage,
  secondsToDate,
  withPlus,
} from "./read-message.ts";

/** How far a message came that was sent. */
export interface StatusUpdate {
  readonly wamid: string;
  readonly status: string;
  /** `+` and digits, or the provider's id of somebody who shows no number. */
  readonly recipient: string;
  readonly at: Date;
  readonly errors: readonly Readonly<Record<string, unknown>>[] | null;
  readonly pricing: unknown;
  readonly conversation: unknown;
  /** What was sent along with the message: our own id of it. */
  readonly messageId: string | null;
}

/** One thing that WhatsApp tells. */
export type WebhookItem =
  | { readonly kind: "message"; readonly sender: string; readonly message: InboundMessage }
  | { readonly kind: "status"; readonly sender: string; readonly status: StatusUpdate }
  | { readonly kind: "health"; readonly wabaId: string; readonly field: string; readonly value: unknown };

const envelope = z.object({
  object: z.literal("whatsapp_business_account"),
  entry: z.array(z.unknown()),
});
const entry = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  changes: z.array(z.unknown()),
});
const change = z.object({ field: z.string().max(128), value: z.unknown() });
const maybe = z.string().optional().catch(undefined);

const value = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  contacts: z.array(z.unknown()).optional().catch(undefined),
  messages: z.array(z.unknown()).optional().catch(undefined),
  statuses: z.array(z.unknown()).optional().catch(undefined),
});
const contact = z.object({
  profile: z.object({ name: maybe }).optional().catch(undefined),
  wa_id: maybe,
  user_id: maybe,
});
const status = z.looseObject({
  id: z.string().min(1),
  status: z.string().min(1),
  timestamp: z.unknown(),
  recipient_id: maybe,
  recipient_user_id: maybe,
  biz_opaque_callback_data: maybe,
  errors: z.array(z.record(z.string(), z.unknown())).optional().catch(undefined),
});

/** Of conversations and of who is in them: no matter of the account's health. */
const CONVERSATION_FIELDS: ReadonlySet<string> = new Set([
  "messages",
  "message_echoes",
  "smb_message_echoes",
  "smb_app_state_sync",
  "history",
  "calls",
  "user_id_update",
  "user_preferences",
  "flows",
]);

/**
 * Everything that is in one delivery, in its order. What is not in the documented form is left out, and the rest is taken: a
 * delivery that is refused comes again whole, for a week.
 */
export function readWebhook(body: unknown, now: Date): WebhookItem[] {
  const { data } = envelope.safeParse(body);
  return (data?.entry ?? []).flatMap((raw) => {
    const read = entry.safeParse(raw).data;
    return (read?.changes ?? []).flatMap((one) => {
      const known = change.safeParse(one).data;
      return known && read ? itemsOf(read.id, known, now) : [];
    });
  });
}

function itemsOf(wabaId: string, { field, value: given }: z.infer<typeof change>, now: Date): WebhookItem[] {
  if (field === "messages") return conversationItems(given, now);
  if (CONVERSATION_FIELDS.has(field)) return [];
  return [{ kind: "health", wabaId, field: storableText(field), value: storable(given) }];
}

function conversationItems(given: unknown, now: Date): WebhookItem[] {
  const { data } = value.safeParse(given);
  if (!data) return [];
  const sender = data.metadata.phone_number_id;
  const contacts = (data.contacts ?? []).flatMap(readContact);
  const messages = (data.messages ?? []).flatMap((raw): WebhookItem[] => {
    const message = readMessage(raw, contacts, now);
    return message ? [{ kind: "message", sender, message }] : [];
  });
  const statuses = (data.statuses ?? []).flatMap((raw): WebhookItem[] => {
    const update = readStatus(raw, now);
    return update ? [{ kind: "status", sender, status: update }] : [];
  });
  return [...messages, ...statuses];
}

function readContact(raw: unknown): ContactEntry[] {
  const { data } = contact.safeParse(raw);
  if (!data) return [];
  const name = data.profile?.name;
  return [{ waId: data.wa_id, userId: data.user_id, name: name && storableText(name) }];
}

function readStatus(raw: unknown, now: Date): StatusUpdate | undefined {
  const { data } = status.safeParse(raw);
  if (!data) return undefined;
  const { recipient_id: phone, recipient_user_id: userId } = data;
  return {
    wamid: storableText(data.id),
    status: storableText(data.status),
    recipient: phone === undefined ? storableText(userId ?? "") : withPlus(storableText(phone)),
    at: secondsToDate(data.timestamp) ?? now,
    errors: data.errors === undefined ? null : (storable(data.errors) as Readonly<Record<string, unknown>>[]),
    pricing: storable(data.pricing ?? null),
    conversation: storable(data.conversation ?? null),
    messageId: data.biz_opaque_callback_data ?? null,
  };
}
