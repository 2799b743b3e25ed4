import { z } from "zod";
import { toolStatusSchema } from "./tool-status.ts";
import { knowledgeResultSchema } from "./tools/knowledge.ts";

/** The body POSTed to a custom brain. */
export const brainRequestSchema = z.looseObject({
  query: z.string(),
  userId: z.string().optional(),
  sessionId: z.string(),
  /** Counts up from 1. A second request for the same turn replaces the first: the caller continued speaking. */
  turn: z.number().int().min(1),
  /** After an interruption: what the caller really heard of the answer to `turn`, an earlier one. Sent once. */
  heard: z
    .object({ turn: z.number().int().min(1), text: z.string(), interruptedAtMs: z.number().min(0) })
    .optional(),
  /**
   * Results of the tools that the brain requested. Results of the current turn continue that turn; after an
   * interruption they come with the next one.
   */
  toolResults: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        arguments: z.unknown(),
        status: toolStatusSchema,
        result: z.unknown(),
      }),
    )
    .optional(),
  /**
   * Passages of the organization's documents that match the query, if the agent has a `knowledge` tool for each turn.
   */
  knowledge: knowledgeResultSchema.shape.passages.optional(),
  /**
   * What the agent remembers of the person from earlier calls and chats, newest first; present if its `memory` is on.
   */
  memory: z.array(z.object({ text: z.string(), at: z.string() })).optional(),
});
export type BrainRequest = z.infer<typeof brainRequestSchema>;
export type ToolResult = NonNullable<BrainRequest["toolResults"]>[number];
export type Heard = NonNullable<BrainRequest["heard"]>;
