import { z } from "zod";
import { toolStatusSchema } from "./tool-status.ts";

/** What gateways and the control API say to each other about tools that run there, sealed, over the bus. */

/** Every control API listens here; one of them takes a run. */
export const TOOL_RUNS_CHANNEL = "tool-runs";
/** Held by the process that runs it: nobody runs it a second time. */
export const toolRunKey = (runId: string): string => `tool-run:${runId}`;

/** The most of a result that is kept (docs/webhooks.md#body-sizes). */
export const MAX_RESULT_BYTES = 1_048_576;
/** The most that a model may send along. */
export const MAX_ARGUMENTS_BYTES = 256 * 1024;

/** How often the process that runs a tool says that it still does. */
export const TOOL_RUN_BEAT_MS = 1_000;
/** Nothing heard for so long, at the beginning or later: nobody runs it, or nobody does any more. */
export const TOOL_RUN_SILENCE_MS = 3_000;
/** A request from longer ago is refused, as somebody may have kept it; also how long a run is remembered. */
export const TOOL_RUN_MAX_AGE_MS = 5 * 60_000;

/** What lies open on the bus: who is to get the answer. */
export const toolRunEnvelopeSchema = z.object({
  id: z.string().max(64),
  replyTo: z.string().max(128),
  sealed: z.string(),
});

export const toolRunRequestSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run"),
    /** Wall clock ms. */
    askedAtMs: z.number(),
    orgId: z.string(),
    sessionId: z.string(),
    agentId: z.string(),
    agentVersion: z.number().int(),
    /** The name that the agent's settings give it. */
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    /** In which turn it was called, and what the caller said in it. */
    turn: z.number().int(),
    said: z.string(),
    /** The answer to an earlier turn was cut before anything of it was heard. */
    unheardTurn: z.number().int().optional(),
    /** Who the caller is, when somebody vouches for it. */
    identifier: z.string().nullable(),
    timeoutMs: z.number().int().min(1),
    traceparent: z.string().max(128).optional(),
  }),
  /** Nobody waits for it any more. */
  z.object({ type: z.literal("cancel") }),
]);
export type ToolRunRequest = z.infer<typeof toolRunRequestSchema>;

export const toolRunReplySchema = z.discriminatedUnion("type", [
  /** Somebody is at it. */
  z.object({ type: z.literal("running") }),
  z.object({ type: z.literal("done"), status: toolStatusSchema, result: z.unknown() }),
]);
export type ToolRunReply = z.infer<typeof toolRunReplySchema>;
