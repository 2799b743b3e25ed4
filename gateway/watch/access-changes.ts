import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import {
  ACCESS_CHANGES_CHANNEL,
  type AccessChange,
  accessChangeSchema,
} from "@parley/shared/contracts/access-changes.ts";

/** Hears what changes about credentials; anything else on the channel is ignored. Rejects while the bus is away. */
export function onAccessChange(
  channels: Pick<Channels, "subscribe">,
  heard: (change: AccessChange) => void,
): Promise<Unsubscribe> {
  return channels.subscribe(ACCESS_CHANGES_CHANNEL, (payload) => {
    const parsed = accessChangeSchema.safeParse(JSON.parse(payload));
    if (parsed.success) heard(parsed.data);
  });
}
