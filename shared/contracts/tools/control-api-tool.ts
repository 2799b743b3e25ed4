import { z } from "zod";
import { MEDIA, toolDescription, toolName } from "./tool-kind.ts";

/**
 * A tool that runs in the control API, as the plan of a call has it: what the model is told, and where its settings are
 * found. Settings and credentials stay in the control API, and a gateway needs to know nothing of the kind.
 */
export const controlApiToolSchema = z.object({
  kind: z.literal("control_api"),
  /** The kind that the agent's settings have, for metrics. */
  of: z.string().max(32),
  name: toolName,
  description: toolDescription,
  parameters: z.record(z.string(), z.unknown()),
  media: z.array(z.enum(MEDIA)),
  timeoutMs: z.number().int().min(1),
  /** A search that is made with what was said in each turn, before the brain is asked. */
  everyTurn: z.boolean().optional(),
  agentId: z.string(),
  agentVersion: z.number().int(),
});
export type ControlApiTool = z.infer<typeof controlApiToolSchema>;
