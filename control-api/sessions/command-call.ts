import type { Bus } from "@parley/shared/bus/bus.ts";
import { request } from "@parley/shared/bus/request-reply.ts";
import type { Clock } from "@parley/shared/clock.ts";
import {
  type CallCommand,
  COMMAND_DEADLINE_MS,
  callCommandReplySchema,
  commandChannel,
} from "@parley/shared/contracts/call-commands.ts";

/** Asks the gateway that holds a call to do something. False when no gateway holds it, or it would not. */
export async function commandCall(
  sessionId: string,
  command: CallCommand,
  { bus, clock }: { readonly bus: Bus; readonly clock: Clock },
): Promise<boolean> {
  const answer = await request(bus.channels, commandChannel(sessionId), {
    payload: JSON.stringify(command),
    deadlineMs: COMMAND_DEADLINE_MS,
    clock,
  });
  return answer !== undefined && callCommandReplySchema.parse(JSON.parse(answer)).ok;
}
