import { z } from "zod";
import { dtmfDigitSchema } from "./call-socket.ts";

/**
 * What a watcher of a live call sees.
 * Frames are best effort: they go over the bus's channels, and a slow watcher misses some.
 */
export const streamFrameSchema = z.discriminatedUnion("topic", [
  frame("call.turn", {
    turn: z.number().int(),
    role: z.enum(["user", "assistant"]),
    text: z.string(),
    interrupted: z.boolean(),
  }),
  frame("call.transcript_partial", {
    turn: z.number().int(),
    role: z.enum(["user", "assistant"]),
    text: z.string(),
  }),
  frame("call.barge_in", { turn: z.number().int(), heardText: z.string(), interruptedAtMs: z.number() }),
  frame("call.silence", { silentMs: z.number(), action: z.enum(["prompt", "hangup"]) }),
  frame("call.dtmf", { digit: dtmfDigitSchema }),
  frame("call.node_entered", { node: z.string() }),
  frame("call.ended", { reason: z.string(), durationSecs: z.number().int() }),
  /** Sent by the bridge itself to a watcher that was too slow. */
  frame("stream.gap", { dropped: z.number().int().min(1) }),
]);
export type StreamFrame = z.infer<typeof streamFrameSchema>;

type Frame<T extends StreamFrame["topic"]> = Extract<StreamFrame, { topic: T }>;
export type FrameData<T extends StreamFrame["topic"]> = Frame<T>["data"];

export const framesChannel = (sessionId: string): string => `call:${sessionId}:frames`;

/** There while any node has a watcher of the session: a call that begins learns so whether it is watched. */
export const watchedKey = (sessionId: string): string => `watched:${sessionId}`;
/** A call's frames are published for this long after it was last told that somebody watches. */
export const WATCH_LEASE_MS = 30_000;
/** So often a node with a watcher tells the holder again. */
export const WATCH_RENEW_MS = 10_000;

function frame<T extends string, S extends z.ZodRawShape>(topic: T, data: S) {
  return z.object({ topic: z.literal(topic), sessionId: z.string(), data: z.object(data) });
}
