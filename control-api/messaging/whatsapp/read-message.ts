import { storable, storableText } from "@parley/shared/contracts/storable.ts";
import { z } from "zod";
import type { InboundMedia, InboundMessage } from "../inbound/inbound-item.ts";

const text = z.string().transform(storableText);
const maybe = text.optional().catch(undefined);
/** Blank ids are as good as none: they tell neither messages nor contacts apart. */
const maybeId = text
  .transform((given) => given.trim() || undefined)
  .optional()
  .catch(undefined);

const envelope = z.looseObject({
  id: maybeId,
  from: maybeId,
  from_user_id: maybeId,
  group_id: maybeId,
  type: text.catch("unknown"),
});

const MEDIA_TYPES: ReadonlySet<string> = new Set(["image", "video", "audio", "document", "sticker"]);
const media = z.looseObject({
  id: z.union([text, z.number()]).transform(String),
  mime_type: text.catch("application/octet-stream"),
  caption: maybe,
  filename: maybe,
  voice: z.boolean().optional().catch(undefined),
});

const named = z.looseObject({ title: maybe, name: maybe, body: maybe, text: maybe });

/** Text of non-text messages, by type; types not listed have none. */
const BODY_OF: Readonly<Record<string, (content: Readonly<Record<string, unknown>>) => string | undefined>> =
  {
    text: (content) => named.parse(content).body,
    button: (content) => named.parse(content).text,
    order: (content) => named.parse(content).text,
    system: (content) => named.parse(content).body,
    reaction: (content) => z.object({ emoji: maybe }).parse(content).emoji,
    location: (content) => {
      const { name, address } = z.object({ name: maybe, address: maybe }).parse(content);
      return name ?? address;
    },
    contacts: (content) => namesIn(content),
    interactive: (content) => interactiveTitle(content),
    edit: (content) => editedText(content),
  };

/** The sender, as the envelope next to the message names them. */
export interface ContactEntry {
  readonly waId: string | undefined;
  readonly userId: string | undefined;
  readonly name: string | undefined;
}

/** Returns undefined if it is not a message at all. Unknown types pass through unchanged. */
export function readMessage(
  raw: unknown,
  contacts: readonly ContactEntry[],
  now: Date,
): InboundMessage | undefined {
  const { data } = envelope.safeParse(raw);
  if (!data) return undefined;
  const { id, from, from_user_id: ownUserId, type } = data;
  const contact =
    contacts.find(({ waId }) => from !== undefined && waId === from) ??
    contacts.find(({ userId }) => ownUserId !== undefined && userId === ownUserId) ??
    (contacts.length === 1 ? contacts[0] : undefined);
  const waId = from ?? contact?.waId;
  const userId = ownUserId ?? contact?.userId ?? (waId === undefined ? (data.group_id ?? "unknown") : null);
  const content = contentOf(data, type);
  const pulled = MEDIA_TYPES.has(type) ? mediaIn(content) : undefined;
  return {
    wamid: id ?? null,
    phone: waId === undefined ? null : withPlus(waId),
    userId,
    contactName: contact?.name ?? null,
    type,
    body: pulled ? (pulled.caption ?? null) : bodyOf(type, content),
    content: type === "text" ? null : content,
    media: pulled?.media ?? null,
    replaces: replacedBy(type, content),
    sentAt: secondsToDate(data.timestamp) ?? now,
    raw: storable(raw),
  };
}

/** Normalizes to `+` and digits; a value without digits is only trimmed. */
export function withPlus(given: string): string {
  const digits = given.replaceAll(/\D/g, "");
  return digits === "" ? given.trim() : `+${digits}`;
}

/** Seconds since the epoch, as text or number; undefined for anything else, such as milliseconds. */
export function secondsToDate(given: unknown): Date | undefined {
  const seconds = typeof given === "number" || typeof given === "string" ? String(given) : "";
  return /^\d{1,11}$/.test(seconds) ? new Date(Number(seconds) * 1_000) : undefined;
}

function contentOf(data: Readonly<Record<string, unknown>>, type: string): unknown {
  const content = Object.hasOwn(data, type) ? storable(data[type] ?? null) : null;
  // A message that WhatsApp does not pass on has no content, but says why.
  return content === null && data.errors !== undefined ? { errors: storable(data.errors) } : content;
}

function bodyOf(type: string, content: unknown): string | null {
  const read = Object.hasOwn(BODY_OF, type) ? BODY_OF[type] : undefined;
  if (!read || typeof content !== "object" || content === null) return null;
  try {
    return read(content as Readonly<Record<string, unknown>>) ?? null;
  } catch {
    // Undocumented content passes through without a text.
    return null;
  }
}

function mediaIn(content: unknown): { media: InboundMedia; caption: string | undefined } | undefined {
  const { data } = media.safeParse(content);
  if (!data) return undefined;
  const { id, mime_type: mimeType, filename, voice, caption } = data;
  return { media: { id, mimeType, filename: filename ?? null, isVoice: voice === true }, caption };
}

function namesIn(content: unknown): string | undefined {
  const card = z.looseObject({ name: z.looseObject({ formatted_name: maybe }) });
  const cards = z.array(card).safeParse(content);
  return cards.data?.flatMap(({ name }) => name.formatted_name ?? []).join(", ");
}

function interactiveTitle(content: Readonly<Record<string, unknown>>): string | undefined {
  const reply = content.button_reply ?? content.list_reply ?? content.nfm_reply;
  const { data } = named.safeParse(reply);
  return data?.title ?? data?.body ?? data?.name;
}

function editedText(content: Readonly<Record<string, unknown>>): string | undefined {
  const edited = z
    .looseObject({ text: z.looseObject({ body: maybe }).optional() })
    .safeParse(content.message);
  return edited.data?.text?.body;
}

function replacedBy(type: string, content: unknown): string | null {
  if (type !== "edit" && type !== "revoke") return null;
  const { data } = z.looseObject({ original_message_id: text }).safeParse(content);
  return data?.original_message_id ?? null;
}
