import { z } from "zod";
import { conditionSchema } from "./conditions.ts";
import { flowNodeId, flowNodeSchema } from "./nodes.ts";
import { OUTCOMES } from "./outcomes.ts";

/** A conversation that follows a plan: nodes, and edges between them (docs/flows.md). */

const judged = z.string().trim().min(1).max(500);

const edgeSchema = z.object({
  from: flowNodeId,
  to: flowNodeId,
  on: z.enum(OUTCOMES).default("next"),
  /** The condition under which the edge is taken; edges are tried in order. */
  when: conditionSchema.optional(),
  /** A statement such as "the caller wants their money back"; the edge is taken when the model judges it true. */
  judge: judged.optional(),
});
export type FlowEdge = z.infer<typeof edgeSchema>;

/** A way out of every node. */
const exitSchema = z
  .object({
    name: z.string().trim().min(1).max(80),
    /** Words of the caller that take the exit. */
    phrases: z.array(z.string().trim().min(2).max(200)).max(30).default([]),
    judge: judged.optional(),
    to: flowNodeId,
  })
  .refine(({ phrases, judge }) => phrases.length > 0 || judge !== undefined, "phrases, or judge");
export type FlowExit = z.infer<typeof exitSchema>;

const MAX_FLOW_NODES = 300;

export const flowSchema = z.object({
  /** The node where a conversation begins. */
  start: flowNodeId,
  nodes: z
    .array(flowNodeSchema)
    .min(1)
    .max(MAX_FLOW_NODES)
    .superRefine((nodes, context) => {
      const known = new Set<string>();
      for (const [index, { id }] of nodes.entries()) {
        const message = `"${id}" is the id of another node, too; each needs its own`;
        if (known.has(id)) context.addIssue({ code: "custom", message, path: [index, "id"] });
        known.add(id);
      }
    }),
  edges: z.array(edgeSchema).max(1_000).default([]),
  /** Exits such as "A person, please" or "wrong number": listened for at every node, before anything else. */
  exits: z.array(exitSchema).max(20).default([]),
  /** Lines spoken where a node has no words of its own. */
  lines: z
    .object({
      retry: z.string().trim().min(1).max(1_000).default("Sorry, I did not get that."),
      confirm: z.string().trim().min(1).max(1_000).default("Shall I go ahead?"),
    })
    .prefault({}),
});
export type Flow = z.infer<typeof flowSchema>;
