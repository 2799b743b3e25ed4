import type { Channels } from "@parley/shared/bus/bus.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Callee } from "./store.ts";

/** Where it is said that something about a member's incoming calls is to be seen. */
export const ringingChannel = ({ orgId, userId }: Callee): string => `ringing:${orgId}:${userId}`;

/** Has every device of the member look again, on any node. Never throws: they look by themselves, too, if later. */
export async function haveLook(
  callee: Callee,
  { channels, log }: { channels: Channels; log: Logger },
): Promise<void> {
  try {
    await channels.publish(ringingChannel(callee), "{}");
  } catch (error) {
    log.warn({ err: messageOf(error) }, "a member's devices were not told of an incoming call");
  }
}
