import { z } from "zod";

/**
 * A gateway node's registration on the bus, rewritten every few seconds and gone `NODE_TTL_MS` after the
 * node died. It is also the lease on every session the node holds: a session whose node has no
 * registration has no holder.
 */
export const NODE_TTL_MS = 12_000;
export const NODE_HEARTBEAT_MS = 3_000;
export const NODE_KEY_PREFIX = "node:";

export const gatewayNodeSchema = z.object({
  nodeId: z.string(),
  /** `ws(s)://host[:port]` as callers reach this very node. */
  publicUrl: z.string(),
  calls: z.number().int().min(0),
  maxCalls: z.number().int().min(1),
  draining: z.boolean(),
  /** Recognizer a call gets when its agent asks for one this node can run; empty: text from the client only. */
  sttVendors: z.array(z.string()),
});
export type GatewayNode = z.infer<typeof gatewayNodeSchema>;

export const nodeKey = (nodeId: string): string => `${NODE_KEY_PREFIX}${nodeId}`;
