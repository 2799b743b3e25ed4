import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { InboundMessage } from "../whatsapp/read-message.ts";

const ID_CHARS = 32;

/** What a message is known by at its provider; one that was given no id is known by what is in it. */
export function providerIdOf({ wamid, raw }: Pick<InboundMessage, "wamid" | "raw">): string {
  return wamid ?? `hash:${sha256Hex(canonical(raw))}`;
}

/** The id that a message gets here: the same however often it is delivered. */
export function messageIdOf(channelId: string, providerId: string): string {
  return `msg_${sha256Hex(`${channelId}\n${providerId}`).slice(0, ID_CHARS)}`;
}

/** JSON with its names in order: two deliveries may differ in it. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
