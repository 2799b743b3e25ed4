import { storable, storableText } from "@parley/shared/contracts/storable.ts";
import { z } from "zod";
import type { InboundMedia, InboundMessage, WebhookItem } from "../inbound/inbound-item.ts";

const text = z.string().transform(storableText);
const maybe = text.optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const id = z.union([z.string(), z.number()]).transform((given) => storableText(String(given)));
const one = z.object({ id });

const envelope = z.object({ entry: z.array(z.unknown()) });
const entry = z.object({ id, messaging: z.array(z.unknown()).optional().catch(undefined) });
const attachment = z.looseObject({
  type: z.string(),
  payload: z.looseObject({ url: maybe, title: maybe }).optional().catch(undefined),
});
const message = z.looseObject({
  mid: maybe,
  text: maybe,
  attachments: z.array(z.unknown()).optional().catch(undefined),
  reply_to: z
    .looseObject({ mid: maybe, story: z.looseObject({ id: maybe, url: maybe }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  quick_reply: z.looseObject({ payload: maybe }).optional().catch(undefined),
  is_echo: flag,
  is_deleted: flag,
  is_unsupported: flag,
});
const event = z.looseObject({
  sender: one,
  recipient: one,
  timestamp: z.unknown(),
  message: message.optional().catch(undefined),
  postback: z.looseObject({ mid: maybe, title: maybe }).optional().catch(undefined),
  reaction: z.looseObject({ mid: maybe, action: maybe, emoji: maybe }).optional().catch(undefined),
  read: z.looseObject({ mid: maybe }).optional().catch(undefined),
  message_edit: z
    .looseObject({ mid: text, text: maybe, num_edit: z.number().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
type Event = z.infer<typeof event>;
type Message = z.infer<typeof message>;

/** Attachments to download, and how to show them. */
const MEDIA: Readonly<Record<string, { readonly type: string; readonly mimeType: string }>> = {
  image: { type: "image", mimeType: "application/octet-stream" },
  video: { type: "video", mimeType: "application/octet-stream" },
  audio: { type: "audio", mimeType: "application/octet-stream" },
  file: { type: "document", mimeType: "application/octet-stream" },
};
const SHARES: Readonly<Record<string, string>> = { ig_reel: "reel", reel: "reel", ig_post: "share" };

/**
 * Reads all items of a delivery, in order. Skips malformed items and keeps the rest: a refused delivery would be
 * repeated whole.
 */
export function readInstagramWebhook(body: unknown, now: Date): WebhookItem[] {
  const { data } = envelope.safeParse(body);
  return (data?.entry ?? []).flatMap((raw) => {
    const read = entry.safeParse(raw).data;
    return (read?.messaging ?? []).flatMap((given) => {
      const known = event.safeParse(given).data;
      return read && known ? itemsOf(read.id, known, { raw: storable(given), now }) : [];
    });
  });
}

interface Given {
  readonly raw: unknown;
  readonly now: Date;
}

function itemsOf(account: string, given: Event, { raw, now }: Given): WebhookItem[] {
  const sentAt = millisToDate(given.timestamp) ?? now;
  if (given.message?.is_echo === true || given.sender.id === account)
    return given.message ? echoesOf(account, given, sentAt) : [];
  if (given.read) return readOf(account, given, sentAt);
  const messages = messagesIn(given);
  return messages.map((part) => ({
    kind: "message",
    sender: account,
    message: { ...NOTHING, ...part, userId: given.sender.id, sentAt, raw },
  }));
}

const NOTHING = {
  wamid: null,
  phone: null,
  contactName: null,
  body: null,
  content: null,
  media: null,
  replaces: null,
};
type Part = Partial<InboundMessage> & Pick<InboundMessage, "type">;

function messagesIn({ message: written, postback, reaction, message_edit: edit }: Event): Part[] {
  if (written) return partsOf(written);
  if (postback) {
    const { mid, title } = postback;
    return [{ type: "postback", wamid: mid ?? null, body: title ?? null, content: storable(postback) }];
  }
  if (reaction) return [{ type: "reaction", body: reaction.emoji ?? null, content: storable(reaction) }];
  if (!edit) return [];
  const { mid, text: body = null, num_edit: count = 1 } = edit;
  return [{ type: "edit", wamid: `${mid}#edit${count}`, replaces: mid, body, content: storable(edit) }];
}

/** An Instagram message has text or attachments: each becomes its own message, in order. */
function partsOf(written: Message): Part[] {
  const { mid, text: body, attachments = [], is_deleted: isDeleted, is_unsupported: isUnsupported } = written;
  if (isDeleted === true)
    return mid === undefined ? [] : [{ type: "revoke", wamid: `${mid}#deleted`, replaces: mid }];
  if (isUnsupported === true) return [{ type: "unsupported", wamid: mid ?? null }];
  const about = aboutOf(written);
  const texts: Part[] =
    body === undefined
      ? []
      : [{ type: "text", body, content: contextOf(written), ...(about ? { about } : {}) }];
  const all = [
    ...texts,
    ...attachments.flatMap((raw) => attachedPart(raw, texts.length > 0 ? undefined : about)),
  ];
  const parts = all.length > 0 ? all : [{ type: "unsupported", content: storable(written) }];
  // The first keeps the message's own id, which reactions and replies refer to.
  const idAt = (at: number): string | null => (at > 0 && mid !== undefined ? `${mid}#${at}` : (mid ?? null));
  return parts.map((part, at) => ({ ...part, wamid: idAt(at) }));
}

function attachedPart(raw: unknown, about: string | undefined): Part[] {
  const { data } = attachment.safeParse(raw);
  if (!data) return [];
  const { type, payload } = data;
  const pulled = Object.hasOwn(MEDIA, type) ? MEDIA[type] : undefined;
  const more = about === undefined ? {} : { about };
  if (pulled && payload?.url !== undefined) {
    const media: InboundMedia = {
      id: payload.url,
      mimeType: pulled.mimeType,
      filename: null,
      isVoice: type === "audio",
    };
    return [{ type: pulled.type, media, content: { type }, ...more }];
  }
  const shown = Object.hasOwn(SHARES, type) ? SHARES[type] : undefined;
  return [
    { type: shown ?? storableText(type), body: payload?.title ?? null, content: storable(data), ...more },
  ];
}

/** The message that was replied to, and the payload of a quick-reply button. */
function contextOf({ reply_to: replyTo, quick_reply: quickReply }: Message): unknown {
  if (replyTo === undefined && quickReply === undefined) return null;
  return storable({
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(quickReply === undefined ? {} : { quickReply }),
  });
}

function aboutOf({ reply_to: replyTo }: Message): string | undefined {
  return replyTo?.story === undefined ? undefined : "The contact replies to a story of this account.";
}

function echoesOf(account: string, { message: written, recipient }: Event, sentAt: Date): WebhookItem[] {
  const mid = written?.mid;
  if (!written || mid === undefined || written.is_deleted === true) return [];
  return partsOf({ ...written, mid }).map(({ type, wamid, body = null, content = null }) => ({
    kind: "echo",
    sender: account,
    echo: { wamid: wamid ?? mid, userId: recipient.id, type, body, content, sentAt },
  }));
}

function readOf(account: string, { read, sender }: Event, at: Date): WebhookItem[] {
  if (read?.mid === undefined) return [];
  const nothing = { errors: null, pricing: null, conversation: null, messageId: null };
  const status = { wamid: read.mid, status: "read", recipient: sender.id, at, ...nothing };
  return [{ kind: "status", sender: account, status }];
}

/** Milliseconds since the epoch; undefined for anything else. */
function millisToDate(given: unknown): Date | undefined {
  if (typeof given !== "number" || !Number.isFinite(given)) return undefined;
  const at = new Date(given);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
