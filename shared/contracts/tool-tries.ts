import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { toolStatusSchema } from "./tool-status.ts";
import { busToolSchema } from "./tools/kinds.ts";

/** `/api/orgs/{orgId}/tools/try`: runs a tool once, while its agent is still being built. */

export const tryToolSchema = z.strictObject({
  /** The tool as in an agent's settings; need not be saved. */
  tool: busToolSchema,
  /** Arguments as a model would fill them in. */
  arguments: z.record(z.string().max(128), z.unknown()).default({}),
});

export const toolTrySchema = z.object({
  status: toolStatusSchema,
  /** The result that a model would get. */
  result: z.unknown(),
  /** Milliseconds. */
  tookMs: z.int(),
});
export type ToolTry = z.infer<typeof toolTrySchema>;
export const toolTryResponseSchema = wrapped(toolTrySchema);
