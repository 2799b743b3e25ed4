import type { Channel, Thread, ThreadMessage } from "@parley/shared/contracts/messaging.ts";
import { phoneText } from "../../ui/phone-text.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A number's name on pages: the number itself once WhatsApp has reported it. */
export function channelTitle({ name, phone }: Pick<Channel, "name" | "phone">): string {
  if (phone === null) return name;
  return name === phone ? phoneText(phone) : `${name} (${phoneText(phone)})`;
}

const QUALITY: Readonly<Record<string, string>> = {
  GREEN: "High",
  YELLOW: "Medium",
  RED: "Low",
};

/** WhatsApp's quality rating of a number. */
export function qualityText(quality: string | null): string {
  return QUALITY[quality ?? ""] ?? "Not rated yet";
}

const FIELDS: Readonly<Record<string, string>> = {
  account_alerts: "Account alert",
  account_review_update: "Account review",
  account_update: "Account change",
  business_capability_update: "Messaging limits",
  message_template_quality_update: "Template quality",
  message_template_status_update: "Template status",
  phone_number_name_update: "Display name review",
  phone_number_quality_update: "Number quality",
  security: "Security",
};

/** The subject of an account report, by WhatsApp's field name. */
export function healthText(field: string): string {
  return FIELDS[field] ?? field.replaceAll("_", " ");
}

/** Who a conversation is with. */
export function contactText({ contactName, contactPhone }: Thread): string {
  return contactName ?? (contactPhone === null ? "Unknown contact" : phoneText(contactPhone));
}

const STATES: Readonly<Record<string, string>> = {
  queued: "Queued",
  sending: "Sending",
  unknown: "Sent? WhatsApp gave no answer",
  sent: "Sent",
  delivered: "Delivered",
  read: "Read",
  played: "Played",
  failed: "Failed",
};

/** How far a sent message came. */
export function statusText(status: string): string {
  return STATES[status] ?? status;
}

/** A sent message's delivery state; undefined for received ones. */
export function stateText({ direction, status }: ThreadMessage): string | undefined {
  return direction === "in" ? undefined : statusText(status);
}

const TYPES: Readonly<Record<string, string>> = {
  image: "Image",
  video: "Video",
  audio: "Voice message",
  document: "Document",
  sticker: "Sticker",
  location: "Location",
  contacts: "Contact card",
  order: "Order",
  reaction: "Reaction",
  template: "Template",
  postback: "Button",
  share: "Shared post",
  reel: "Shared reel",
  story_mention: "Story that mentions you",
  edit: "Edited message",
  revoke: "Deleted by the contact",
  unsupported: "Unsupported message",
};

/** The type of a message that is not plain text; undefined for text. */
export function typeText(type: string): string | undefined {
  return type === "text" ? undefined : (TYPES[type] ?? type);
}

const AUTHORS: Readonly<Record<ThreadMessage["author"], string>> = {
  contact: "Contact",
  agent: "Agent",
  member: "Teammate",
  key: "API",
};

export function authorText({ author }: ThreadMessage): string {
  return AUTHORS[author];
}

/** Until when free text may be sent. */
export function windowText(
  { windowEndsAt, isWindowOpen, channelKind, isOptedOut, mayReply }: Thread,
  nowMs: number,
): string {
  if (!mayReply) return "They asked for no more messages. You can reply once they write again.";
  if (isOptedOut && !isWindowOpen) return "They asked for no more messages.";
  if (!isWindowOpen && channelKind === "instagram")
    return "More than 24 hours since their last message. You can write again once they do.";
  if (windowEndsAt === null) return "They haven’t written yet. Only templates can be sent.";
  if (!isWindowOpen) return "More than 24 hours since their last message. Only templates can be sent.";
  const leftMs = Date.parse(windowEndsAt) - nowMs;
  const left =
    leftMs >= HOUR_MS
      ? `${Math.floor(leftMs / HOUR_MS)} h`
      : `${Math.max(1, Math.floor(leftMs / MINUTE_MS))} min`;
  return `You can reply freely for another ${left}.`;
}
