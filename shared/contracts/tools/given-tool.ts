import { z } from "zod";
import { jsonValueSchema } from "../json.ts";
import { MEDIA, toolDescription, toolName } from "./tool-kind.ts";

export const GIVEN_STATUSES = ["success", "error", "not_found"] as const;

/**
 * A tool in the plan of a rehearsal: what the model is told of the real one, and what it gives. The plan has nothing
 * that could call out, so no process can run the real one by mistake
 * (docs/decisions/flows.md#flows-rehearsed-tools).
 */
export const givenToolSchema = z.object({
  kind: z.literal("given"),
  /** The kind in the agent's settings, for metrics. */
  of: z.string().max(32),
  name: toolName,
  description: toolDescription,
  parameters: z.record(z.string(), z.unknown()),
  media: z.array(z.enum(MEDIA)),
  /** Asked with what was said in each turn, before the brain is asked. */
  everyTurn: z.boolean().optional(),
  status: z.enum(GIVEN_STATUSES),
  result: jsonValueSchema,
});
export type GivenTool = z.infer<typeof givenToolSchema>;
