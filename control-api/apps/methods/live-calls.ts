import { type StreamEvent, streamEventSchema } from "@parley/platform/methods/calls.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { FrameSources } from "@parley/shared/bus/frame-sources.ts";
import { streamFrameSchema } from "@parley/shared/contracts/stream-frames.ts";
import type { Reads } from "../../http/reads.ts";
import type { Subscriber, Subscriptions } from "../bridge/handlers.ts";
import { existingCall } from "./calls.ts";

export interface LiveCallsDeps {
  readonly reads: Reads;
  readonly frames: Pick<FrameSources, "listen">;
}

/** `stream.subscribe`: a call's events as its watchers see them, until the call ends. */
export function liveCallSubscriptions({ reads, frames }: LiveCallsDeps): Subscriptions {
  return {
    "stream.subscribe": async ({ sessionId }, { caller }, to) => {
      const { call } = await existingCall(sessionId, caller, reads);
      if (call.ended_at !== null) throw over(sessionId);
      const stop = await frames.listen(call.session_id, (frame) => pass(frame, sessionId, to));
      return async () => stop();
    },
  };
}

function pass(text: string, sessionId: string, to: Subscriber): void {
  const frame = streamFrameSchema.parse(JSON.parse(text));
  if (frame.topic === "call.ended") {
    to.end(over(sessionId));
    return;
  }
  const event = streamEventSchema.safeParse(frame);
  if (event.success) to.event(event.data satisfies StreamEvent);
}

/** An error that keeps the app from reopening the stream. */
function over(sessionId: string): BridgeError {
  return new BridgeError("conflict", `The call ${sessionId} is not in progress.`);
}
