import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import { serve } from "@parley/shared/bus/request-reply.ts";
import {
  type CallCommandReply,
  callCommandSchema,
  commandChannel,
} from "@parley/shared/contracts/call-commands.ts";
import type { FramePublisher } from "./frames.ts";
import type { LiveCall } from "./live-call.ts";

export interface CommandedCall {
  readonly sessionId: string;
  readonly call: Pick<LiveCall, "isOver" | "end" | "execute">;
  readonly frames: Pick<FramePublisher, "watch">;
}

/** Carries out commands that other nodes send to this call, for as long as this node holds the call. */
export function serveCommands(channels: Channels, commanded: CommandedCall): Promise<Unsubscribe> {
  const channel = commandChannel(commanded.sessionId);
  return serve(channels, channel, async (payload) => JSON.stringify(await answer(payload, commanded)));
}

async function answer(payload: string, { call, frames }: CommandedCall): Promise<CallCommandReply> {
  const parsed = callCommandSchema.safeParse(JSON.parse(payload));
  if (!parsed.success)
    return { ok: false, code: "bad_request", message: "This node does not know the command." };
  if (call.isOver) return { ok: false, code: "session_ended", message: "The call has ended." };
  const command = parsed.data;
  if (command.command === "end") call.end(command.reason);
  else if (command.command === "watch") frames.watch();
  else return call.execute(command);
  return { ok: true };
}
