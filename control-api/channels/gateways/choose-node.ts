import type { Keys } from "@parley/shared/bus/bus.ts";
import {
  type GatewayNode,
  gatewayNodeSchema,
  NODE_KEY_PREFIX,
  nodeKey,
} from "@parley/shared/contracts/gateway-nodes.ts";
import { AppError } from "@parley/shared/errors.ts";

const RETRY_AFTER_SECS = 3;

/** Live gateways, at most a second stale. Skips unreadable registrations. */
export async function listNodes(keys: Keys): Promise<GatewayNode[]> {
  const registered = await keys.list(NODE_KEY_PREFIX);
  return [...registered.values()].map(readNode).filter((node) => node !== undefined);
}

/** A live gateway's current registration. */
export async function findNode(keys: Pick<Keys, "get">, nodeId: string): Promise<GatewayNode | undefined> {
  const text = await keys.get(nodeKey(nodeId));
  return text === undefined ? undefined : readNode(text);
}

/** Loads within this difference count as equal: registrations are seconds old. */
const SAME_LOAD = 0.02;
/** How often to choose again when the chosen gateway no longer takes calls. */
const MAX_TRIES = 4;

/**
 * Chooses one of the least loaded gateways that take calls, at random among equals, so that a burst of calls spreads
 * out. Throws `AppError` no_gateway.
 */
export async function chooseNode(keys: Keys): Promise<GatewayNode> {
  const passedOver = new Set<string>();
  const listed = await listNodes(keys);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const chosen = leastLoaded(listed.filter(({ nodeId }) => !passedOver.has(nodeId)));
    if (!chosen) break;
    // The list may be a second old: the gateway may have drained or gone.
    const now = await findNode(keys, chosen.nodeId);
    if (now && takesCalls(now)) return now;
    passedOver.add(chosen.nodeId);
  }
  throw new AppError("no_gateway", "No gateway is taking calls right now. Try again shortly.", {
    retryAfterSecs: RETRY_AFTER_SECS,
  });
}

function leastLoaded(nodes: readonly GatewayNode[]): GatewayNode | undefined {
  const free = nodes.filter(takesCalls);
  const load = (node: GatewayNode): number => node.calls / node.maxCalls;
  const least = Math.min(...free.map(load));
  const equals = free.filter((node) => load(node) <= least + SAME_LOAD);
  return equals[Math.floor(Math.random() * equals.length)];
}

function takesCalls(node: GatewayNode): boolean {
  return !node.draining && node.calls < node.maxCalls;
}

function readNode(text: string): GatewayNode | undefined {
  return gatewayNodeSchema.safeParse(parseJson(text)).data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
