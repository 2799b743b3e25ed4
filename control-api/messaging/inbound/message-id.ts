import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { InboundMessage } from "./inbound-item.ts";

const ID_CHARS = 32;

/** Id of a message at its provider; a hash of its content if it was assigned none. */
export function providerIdOf({ wamid, raw }: Pick<InboundMessage, "wamid" | "raw">): string {
  return wamid ?? `hash:${sha256Hex(canonical(raw))}`;
}

/** Our id of a message, identical for every delivery of it. */
export function messageIdOf(channelId: string, providerId: string): string {
  return `msg_${sha256Hex(`${channelId}\n${providerId}`).slice(0, ID_CHARS)}`;
}

/** JSON with sorted keys: deliveries of the same message may differ in key order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
