import type { Channels } from "@parley/shared/bus/bus.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Callee } from "./store.ts";

/** Bus channel that tells a member's devices to look at their incoming calls. */
export const ringingChannel = ({ orgId, userId }: Callee): string => `ringing:${orgId}:${userId}`;

/** Makes all of the member's devices look again, on any node. Never throws: they also poll, only later. */
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
