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
    log.warn(
      { event: "ringing_not_published", err: messageOf(error) },
      "failed to tell a member's devices about an incoming call",
    );
  }
}
