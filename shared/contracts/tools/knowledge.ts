import { z } from "zod";
import { toolDescription, toolKind, toolName } from "./tool-kind.ts";

const settings = z.object({
  kind: z.literal("knowledge"),
  name: toolName,
  /** Tells the model when to use the tool; absent: the knowledge bases' own descriptions. */
  description: toolDescription.optional(),
  knowledgeBaseIds: z.array(z.string().min(1).max(64)).min(1).max(10),
  /** Maximum passages that the model gets. */
  maxPassages: z.int().min(1).max(10).default(5),
  /** Searches with what was said in each turn, before the brain is asked; the model may still ask for more. */
  everyTurn: z.boolean().default(true),
  timeoutMs: z.int().min(100).max(60_000).default(5_000),
});

export type KnowledgeTool = z.infer<typeof settings>;

/** The result of the tool. */
export const knowledgeResultSchema = z.object({
  passages: z.array(
    z.object({
      document: z.string(),
      heading: z.string().optional(),
      text: z.string(),
      url: z.string().optional(),
    }),
  ),
});

/** Looks something up in the organization's documents. */
export const knowledgeKind = toolKind({ settings, media: ["voice", "text"], reach: "bus" });
