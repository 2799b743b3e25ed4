import { storable, storableText } from "@parley/shared/contracts/storable.ts";
import { z } from "zod";
import type { Preference, StatusUpdate, WebhookItem } from "../inbound/inbound-item.ts";
import { type ContactEntry, readMessage, secondsToDate, withPlus } from "./read-message.ts";

const envelope = z.object({
  object: z.literal("whatsapp_business_account"),
  entry: z.array(z.unknown()),
});
const entry = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  changes: z.array(z.unknown()),
});
const change = z.object({ field: z.string().max(128), value: z.unknown().optional() });
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
  errors: z.array(z.unknown()).optional().catch(undefined),
});
const preferences = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  user_preferences: z.array(z.unknown()),
});
const preference = z.object({
  wa_id: maybe,
  user_id: maybe,
  category: z.literal("marketing_messages"),
  value: z.enum(["stop", "resume"]),
  timestamp: z.unknown(),
});
const statusError = z.record(z.string(), z.unknown());

/** Fields about conversations and contacts, not the account's health. */
const CONVERSATION_FIELDS: ReadonlySet<string> = new Set([
  "messages",
  "message_echoes",
  "smb_message_echoes",
  "smb_app_state_sync",
  "history",
  "calls",
  "user_id_update",
  "flows",
]);

/**
 * Reads all items of a delivery, in order. Skips malformed items and keeps the rest: a refused delivery would be
 * repeated whole, for a week.
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
  if (field === "user_preferences") return preferenceItems(given, now);
  if (CONVERSATION_FIELDS.has(field)) return [];
  return [{ kind: "health", wabaId, field: storableText(field), value: storable(given ?? null) }];
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

function preferenceItems(given: unknown, now: Date): WebhookItem[] {
  const { data } = preferences.safeParse(given);
  return (data?.user_preferences ?? []).flatMap((raw): WebhookItem[] => {
    const read = readPreference(raw, now);
    const sender = data?.metadata.phone_number_id;
    return read && sender !== undefined ? [{ kind: "preference", sender, preference: read }] : [];
  });
}

function readPreference(raw: unknown, now: Date): Preference | undefined {
  const { data } = preference.safeParse(raw);
  const phone = data?.wa_id?.trim() || undefined;
  const userId = data?.user_id?.trim() || undefined;
  if (!data || (phone === undefined && userId === undefined)) return undefined;
  return {
    phone: phone === undefined ? null : withPlus(storableText(phone)),
    userId: userId === undefined ? null : storableText(userId),
    wish: data.value === "stop" ? "out" : "in",
    at: secondsToDate(data.timestamp) ?? now,
  };
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
  const phone = data.recipient_id?.trim() || undefined;
  return {
    wamid: storableText(data.id),
    status: storableText(data.status),
    recipient:
      phone === undefined ? storableText(data.recipient_user_id ?? "") : withPlus(storableText(phone)),
    at: secondsToDate(data.timestamp) ?? now,
    errors: data.errors?.flatMap(readError) ?? null,
    pricing: storable(data.pricing ?? null),
    conversation: storable(data.conversation ?? null),
    messageId: data.biz_opaque_callback_data ?? null,
  };
}

function readError(raw: unknown): Readonly<Record<string, unknown>>[] {
  const { data } = statusError.safeParse(storable(raw));
  return data === undefined ? [] : [data];
}
