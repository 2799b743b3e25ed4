import { storable, storableText } from "@parley/shared/contracts/storable.ts";
import { z } from "zod";

/** Media of a message, before they are pulled. */
export interface InboundMedia {
  readonly id: string;
  readonly mimeType: string;
  readonly filename: string | null;
  /** Spoken into the phone, not a file. */
  readonly isVoice: boolean;
}

/** A message as its contact sent it. */
export interface InboundMessage {
  /** Null: the provider gave it none. */
  readonly wamid: string | null;
  /** With +; null for contacts who show a name only. */
  readonly phone: string | null;
  readonly userId: string | null;
  readonly contactName: string | null;
  readonly type: string;
  readonly body: string | null;
  /** What is in it besides text. */
  readonly content: unknown;
  readonly media: InboundMedia | null;
  /** The message that it takes back, or puts another in the place of. */
  readonly replaces: string | null;
  readonly sentAt: Date;
  readonly raw: unknown;
}

const text = z.string().transform(storableText);
const maybe = text.optional().catch(undefined);

const envelope = z.looseObject({
  id: maybe,
  from: maybe,
  from_user_id: maybe,
  group_id: maybe,
  timestamp: maybe,
  type: text.catch("unknown"),
});

const MEDIA_TYPES: ReadonlySet<string> = new Set(["image", "video", "audio", "document", "sticker"]);
const media = z.looseObject({
  id: z.string(),
  mime_type: z.string().default("application/octet-stream"),
  caption: maybe,
  filename: maybe,
  voice: z.boolean().optional().catch(undefined),
});

const named = z.looseObject({ title: maybe, name: maybe, body: maybe, text: maybe });

/** The words of what is not text, by type; types that are not here have none. */
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

/** Who wrote, as the envelope beside the message says it. */
export interface ContactEntry {
  readonly waId: string | undefined;
  readonly userId: string | undefined;
  readonly name: string | undefined;
}

/** Undefined when it is no message at all. Types that are not known are taken as they are. */
export function readMessage(
  raw: unknown,
  contacts: readonly ContactEntry[],
  now: Date,
): InboundMessage | undefined {
  const { data } = envelope.safeParse(raw);
  if (!data) return undefined;
  const { id, from, from_user_id: ownUserId, type } = data;
  const contact =
    contacts.find(({ waId, userId }) =>
      from ? waId === from : ownUserId !== undefined && userId === ownUserId,
    ) ?? (contacts.length === 1 ? contacts[0] : undefined);
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
    sentAt: timeOf(data.timestamp, now),
    raw: storable(raw),
  };
}

/** `+` and digits; what has no digits is passed on without the spaces around it. */
export function withPlus(given: string): string {
  const digits = given.replaceAll(/\D/g, "");
  return digits === "" ? given.trim() : `+${digits}`;
}

/** Seconds since the epoch, as text or number; undefined for anything else. */
export function secondsToDate(given: unknown): Date | undefined {
  const seconds = typeof given === "string" && /^\d{1,11}$/.test(given) ? Number(given) : given;
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return undefined;
  const at = new Date(seconds * 1_000);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function timeOf(given: string | undefined, now: Date): Date {
  return secondsToDate(given) ?? now;
}

function contentOf(data: Readonly<Record<string, unknown>>, type: string): unknown {
  const content = storable(data[type] ?? null);
  // What WhatsApp does not pass on has no content but says why.
  return content === null && data.errors !== undefined ? { errors: storable(data.errors) } : content;
}

function bodyOf(type: string, content: unknown): string | null {
  const read = Object.hasOwn(BODY_OF, type) ? BODY_OF[type] : undefined;
  if (!read || typeof content !== "object" || content === null) return null;
  try {
    return read(content as Readonly<Record<string, unknown>>) ?? null;
  } catch {
    // It is not in the form that is documented; it is passed on as it is.
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
