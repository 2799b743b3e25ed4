import { z } from "zod";
import { figureSchema } from "./bounds.ts";
import { toolWordSchema } from "./tool-status.ts";

/** Control events that a brain may send between tokens. `type` is accepted for `event`. */
export const brainControlSchema = z.discriminatedUnion("event", [
  /** Ends the call also if the farewell cannot be said: nobody is left hanging on for a sentence. */
  z.object({ event: z.literal("call_end"), farewell: z.string().max(4_000).optional().catch(undefined) }),
  z.object({ event: z.literal("dtmf"), digits: z.string().regex(/^[0-9A-Da-d#*wW,]{1,64}$/) }),
  z.object({ event: z.literal("clear") }),
  /** Speaks everything sent so far, even an unfinished sentence: the brain is about to do something that takes time. */
  z.object({ event: z.literal("flush") }),
  /**
   * Hands the caller over (`transferOrderSchema`). A malformed order still reads as a transfer, so that the brain
   * learns of its failure instead of hearing nothing.
   */
  z.object({
    event: z.literal("transfer"),
    to: z.string().max(64).catch(""),
    mode: z.string().max(16).optional(),
    whisper: z.string().max(4_000).optional(),
  }),
  z.object({ event: z.literal("node_entered"), node: z.string().max(256) }),
  /** Hands the call to another agent of the plan's team; the variables are for that agent alone. */
  z.object({
    event: z.literal("hand_off"),
    agentId: z.string().max(64),
    variables: z.record(z.string().max(64), z.string().max(4_000)).default({}),
  }),
  z.object({
    event: z.literal("listen"),
    endpointingMs: z.number().int().min(0).max(15_000).optional(),
    expect: z.enum(["digits", "speech"]).optional(),
    interruptible: z.boolean().optional(),
  }),
  z.object({
    event: z.literal("tool"),
    name: z.string().max(256),
    arguments: z.unknown().optional(),
    result: z.unknown().optional(),
    status: toolWordSchema.default("success"),
    latencyMs: figureSchema.default(0),
  }),
  /** Requests one of the agent's tools; the request after the end of this answer carries the result. */
  z.object({
    event: z.literal("tool_call"),
    /** Returned with the result; absent: the position among the answer's calls. */
    id: z.string().min(1).max(128).optional(),
    name: z.string().max(256),
    arguments: z.record(z.string(), z.unknown()).default({}),
  }),
]);
export type BrainControl = z.infer<typeof brainControlSchema>;
