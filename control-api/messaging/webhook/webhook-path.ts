import type { Provider } from "../channels/provider.ts";

/** Where Meta posts a channel's events. */
export const webhookPath = (provider: Provider, channelId: string): string =>
  `/api/public/${provider}/${channelId}`;
