import { z } from "zod";
import { MEDIA, toolDescription, toolName } from "./tool-kind.ts";

/**
 * A tool that runs in the control API, as it appears in a call's plan: what the model is told, and where to find its
 * settings. Settings and credentials stay in the control API, and a gateway needs to know nothing about the kind.
 */
export const controlApiToolSchema = z.object({
  kind: z.literal("control_api"),
  /** The kind in the agent's settings, for metrics. */
  of: z.string().max(32),
  name: toolName,
  description: toolDescription,
  parameters: z.record(z.string(), z.unknown()),
  media: z.array(z.enum(MEDIA)),
  timeoutMs: z.number().int().min(1),
  /** Searches with what was said in each turn, before the brain is asked. */
  everyTurn: z.boolean().optional(),
  agentId: z.string(),
  agentVersion: z.number().int(),
});
export type ControlApiTool = z.infer<typeof controlApiToolSchema>;
