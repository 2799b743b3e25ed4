import { z } from "zod";

/**
 * A gateway node's registration on the bus, rewritten every few seconds; it expires `NODE_TTL_MS` after the node
 * died. The registration is also the lease on every session that the node holds: a session whose node has no
 * registration has no holder.
 */
export const NODE_TTL_MS = 12_000;
export const NODE_HEARTBEAT_MS = 3_000;
export const NODE_KEY_PREFIX = "node:";

export const gatewayNodeSchema = z.object({
  nodeId: z.string(),
  /** `ws(s)://host[:port]` at which callers reach this very node. */
  publicUrl: z.string(),
  calls: z.number().int().min(0),
  maxCalls: z.number().int().min(1),
  draining: z.boolean(),
  /** Recognizers this node can run for an agent that asks for one; empty: text from the client only. */
  sttVendors: z.array(z.string()),
});
export type GatewayNode = z.infer<typeof gatewayNodeSchema>;

export const nodeKey = (nodeId: string): string => `${NODE_KEY_PREFIX}${nodeId}`;
