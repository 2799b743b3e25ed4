import { z } from "zod";
import { dtmfDigitSchema } from "./call-socket.ts";
import { carried, plain, spoken } from "./content/marks.ts";
import { type Masking, maskerOf } from "./content/mask.ts";

/**
 * What a watcher of a live call sees. Frames are best effort: they travel over the bus's channels, and a slow watcher
 * misses some.
 */
export const streamFrameSchema = z.discriminatedUnion("topic", [
  frame("call.turn", {
    turn: z.number().int(),
    role: z.enum(["user", "assistant"]),
    text: spoken(z.string()),
    interrupted: z.boolean(),
  }),
  frame("call.transcript_partial", {
    turn: z.number().int(),
    role: z.enum(["user", "assistant"]),
    text: spoken(z.string()),
  }),
  frame("call.barge_in", {
    turn: z.number().int(),
    heardText: spoken(z.string()),
    interruptedAtMs: z.number(),
  }),
  frame("call.silence", { silentMs: z.number(), action: z.enum(["prompt", "hangup"]) }),
  frame("call.dtmf", { digit: carried(dtmfDigitSchema) }),
  frame("call.node_entered", { node: plain(z.string()) }),
  frame("call.ended", { reason: plain(z.string()), durationSecs: z.number().int() }),
  /** Sent by the bridge itself to a watcher that was too slow. */
  frame("stream.gap", { dropped: z.number().int().min(1) }),
]);
export type StreamFrame = z.infer<typeof streamFrameSchema>;

type Frame<T extends StreamFrame["topic"]> = Extract<StreamFrame, { topic: T }>;
export type FrameData<T extends StreamFrame["topic"]> = Frame<T>["data"];

const DATA_MASKERS = new Map<string, ReturnType<typeof maskerOf>>(
  streamFrameSchema.options.map(({ shape }) => [shape.topic.value, maskerOf(shape.data)]),
);

/** A frame's data with its spoken content masked. */
export function maskFrameData<T extends StreamFrame["topic"]>(
  topic: T,
  data: FrameData<T>,
  masking: Masking,
): FrameData<T> {
  const mask = DATA_MASKERS.get(topic);
  if (!mask) throw new Error(`no frame is a ${topic}`);
  return mask(data, masking);
}

export const framesChannel = (sessionId: string): string => `call:${sessionId}:frames`;

/** Exists while any node has a watcher of the session, so that a starting call learns whether it is watched. */
export const watchedKey = (sessionId: string): string => `watched:${sessionId}`;
/** How long a call's frames are published after the last notice that someone watches. */
export const WATCH_LEASE_MS = 30_000;
/** How often a node with a watcher renews that notice to the holder. */
export const WATCH_RENEW_MS = 10_000;

function frame<T extends string, S extends z.ZodRawShape>(topic: T, data: S) {
  return z.object({ topic: z.literal(topic), sessionId: plain(z.string()), data: z.object(data) });
}
