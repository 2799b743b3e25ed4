import type { Bus } from "@parley/shared/bus/bus.ts";
import { request } from "@parley/shared/bus/request-reply.ts";
import type { Clock } from "@parley/shared/clock.ts";
import {
  type CallCommand,
  type CallCommandReply,
  COMMAND_DEADLINE_MS,
  callCommandReplySchema,
  commandChannel,
} from "@parley/shared/contracts/call-commands.ts";

interface Asking {
  readonly bus: Bus;
  readonly clock: Clock;
}

/** Sends a command to the gateway that holds a call. Returns false if no gateway holds it, or the gateway declined. */
export async function commandCall(sessionId: string, command: CallCommand, deps: Asking): Promise<boolean> {
  const reply = await askCall(sessionId, { command, deadlineMs: COMMAND_DEADLINE_MS }, deps);
  return reply?.ok === true;
}

/** The reply of the gateway that holds a call; undefined when none holds it. */
export async function askCall(
  sessionId: string,
  { command, deadlineMs }: { command: CallCommand; deadlineMs: number },
  { bus, clock }: Asking,
): Promise<CallCommandReply | undefined> {
  const answer = await request(bus.channels, commandChannel(sessionId), {
    payload: JSON.stringify(command),
    deadlineMs,
    clock,
  });
  return answer === undefined ? undefined : callCommandReplySchema.parse(JSON.parse(answer));
}
