/**
 * The channel of a chat held by a page or a server. No gateway holds one, so this is also the node that a chat's call
 * names.
 */
export const CHAT_CHANNEL = "chat";

/** Channels with text conversations: chats, whatever carries them. */
export const TEXT_CHANNELS = [CHAT_CHANNEL, "whatsapp", "instagram"] as const;
export type TextChannel = (typeof TEXT_CHANNELS)[number];

/** True for a channel whose calls no gateway holds. */
export function isTextChannel(channel: string): channel is TextChannel {
  return TEXT_CHANNELS.some((text) => text === channel);
}
