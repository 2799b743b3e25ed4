import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import { serve } from "@parley/shared/bus/request-reply.ts";
import {
  type CallCommandReply,
  callCommandSchema,
  commandChannel,
} from "@parley/shared/contracts/call-commands.ts";
import type { Call } from "./call.ts";

/** Carries out what REST asks of this call, for as long as this node holds it. */
export function serveCommands(channels: Channels, sessionId: string, call: Call): Promise<Unsubscribe> {
  return serve(channels, commandChannel(sessionId), async (payload) => JSON.stringify(answer(payload, call)));
}

function answer(payload: string, call: Call): CallCommandReply {
  const parsed = callCommandSchema.safeParse(JSON.parse(payload));
  if (!parsed.success)
    return { ok: false, code: "bad_request", message: "This node does not know the command." };
  if (call.isOver) return { ok: false, code: "session_ended", message: "The call has ended." };
  const command = parsed.data;
  if (command.command === "end") call.end(command.reason);
  else call.say(command.text);
  return { ok: true };
}
