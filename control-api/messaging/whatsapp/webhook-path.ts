/** Where Meta posts what happens at a channel. */
export const webhookPath = (channelId: string): string => `/api/public/whatsapp/${channelId}`;
