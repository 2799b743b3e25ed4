import { z } from "zod";
import { jsonValueSchema } from "../json.ts";
import { toolDescription, toolKind, toolName } from "./tool-kind.ts";

const settings = z.object({
  kind: z.literal("connector"),
  name: toolName,
  /** Tells the model when to use the tool; absent: the capability's own description. */
  description: toolDescription.optional(),
  /** The capability to use, as named in the catalog of connectors. */
  capability: z.string().regex(/^[a-z][a-z_]{0,31}\.[a-z][a-z_]{0,31}$/, "a capability such as order.lookup"),
  /** The connection to use; absent: the newest active one with the capability. */
  connectionId: z.string().min(1).max(64).optional(),
  /** Fixed arguments: the model neither sees nor changes them. */
  bind: z.record(z.string().min(1).max(64), jsonValueSchema).default({}),
  /**
   * The caller must say yes first, in a turn after the question; absent: only for capabilities that change something.
   */
  confirm: z.boolean().optional(),
  timeoutMs: z.number().int().min(100).max(60_000).default(10_000),
});

export type ConnectorTool = z.infer<typeof settings>;

/** Acts in a system that the organization has connected. */
export const connectorKind = toolKind({ settings, media: ["voice", "text"], reach: "bus" });
