/** The channel of a chat that a page or a server has. No gateway holds one; where the call of a chat names a node, this is it. */
export const CHAT_CHANNEL = "chat";

/** Channels whose conversations are text: chats, whatever carries them. */
export const TEXT_CHANNELS = [CHAT_CHANNEL, "whatsapp", "instagram"] as const;
export type TextChannel = (typeof TEXT_CHANNELS)[number];

/** True for a channel that no gateway holds calls of. */
export function isTextChannel(channel: string): channel is TextChannel {
  return TEXT_CHANNELS.some((text) => text === channel);
}
