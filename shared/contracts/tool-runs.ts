import { z } from "zod";
import { toolStatusSchema } from "./tool-status.ts";

/** Sealed messages over the bus between gateways and the control API about tools that run there. */

/** Every control API listens on this channel; one of them takes each run. */
export const TOOL_RUNS_CHANNEL = "tool-runs";
/** Held by the process that runs the tool, so that no other runs it again. */
export const toolRunKey = (runId: string): string => `tool-run:${runId}`;

/** Maximum bytes of a result that are kept (docs/webhooks.md#body-sizes). */
export const MAX_RESULT_BYTES = 1_048_576;
/** Maximum bytes of arguments from a model. */
export const MAX_ARGUMENTS_BYTES = 256 * 1024;

/** Heartbeat interval of the process that runs a tool. */
export const TOOL_RUN_BEAT_MS = 1_000;
/** After this long without a heartbeat, at the start or later, nobody is running the tool. */
export const TOOL_RUN_SILENCE_MS = 3_000;
/** Older requests are refused, as they may be replays; also how long a run is remembered. */
export const TOOL_RUN_MAX_AGE_MS = 5 * 60_000;

/** The unsealed part on the bus: where the answer goes. */
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
    /** The tool's name in the agent's settings. */
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    /** The turn in which the tool was called, and what the caller said in it. */
    turn: z.number().int(),
    said: z.string(),
    /** The earlier turn whose answer was cut before any of it was heard. */
    unheardTurn: z.number().int().optional(),
    /** The caller's identity, when someone vouches for it. */
    identifier: z.string().nullable(),
    timeoutMs: z.number().int().min(1),
    traceparent: z.string().max(128).optional(),
  }),
  /** Nobody waits for the run any more. */
  z.object({ type: z.literal("cancel") }),
]);
export type ToolRunRequest = z.infer<typeof toolRunRequestSchema>;

export const toolRunReplySchema = z.discriminatedUnion("type", [
  /** A process has started the run. */
  z.object({ type: z.literal("running") }),
  z.object({ type: z.literal("done"), status: toolStatusSchema, result: z.unknown() }),
]);
export type ToolRunReply = z.infer<typeof toolRunReplySchema>;
