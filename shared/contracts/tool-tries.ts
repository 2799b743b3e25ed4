import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { toolStatusSchema } from "./tool-status.ts";
import { busToolSchema } from "./tools/kinds.ts";

/** `/api/orgs/{orgId}/tools/try`: a tool as it is being set up, run once for whoever builds the agent. */

export const tryToolSchema = z.strictObject({
  /** As the agent's settings would have it; it needs not be saved. */
  tool: busToolSchema,
  /** As the model would fill them in. */
  arguments: z.record(z.string().max(128), z.unknown()).default({}),
});

export const toolTrySchema = z.object({
  status: toolStatusSchema,
  /** What the model would be given. */
  result: z.unknown(),
  /** Milliseconds. */
  tookMs: z.int(),
});
export type ToolTry = z.infer<typeof toolTrySchema>;
export const toolTryResponseSchema = wrapped(toolTrySchema);
