import type { Keys } from "@parley/shared/bus/bus.ts";
import {
  type GatewayNode,
  gatewayNodeSchema,
  NODE_KEY_PREFIX,
} from "@parley/shared/contracts/gateway-nodes.ts";
import { AppError } from "@parley/shared/errors.ts";

const RETRY_AFTER_SECS = 3;

/** The gateways that are alive. A registration nobody can read is passed over. */
export async function listNodes(keys: Keys): Promise<GatewayNode[]> {
  const registered = await keys.list(NODE_KEY_PREFIX);
  return [...registered.values()].flatMap((text) => {
    const parsed = gatewayNodeSchema.safeParse(parseJson(text));
    return parsed.success ? [parsed.data] : [];
  });
}

/** Loads this close count as the same: registrations are seconds old. */
const SAME_LOAD = 0.02;

/**
 * One of the least loaded gateways that take calls, by chance among equals, so that a burst of calls does
 * not land on one. Throws `AppError` no_gateway.
 */
export async function chooseNode(keys: Keys): Promise<GatewayNode> {
  const free = (await listNodes(keys)).filter((node) => !node.draining && node.calls < node.maxCalls);
  const load = (node: GatewayNode): number => node.calls / node.maxCalls;
  const least = Math.min(...free.map(load));
  const equals = free.filter((node) => load(node) <= least + SAME_LOAD);
  const chosen = equals[Math.floor(Math.random() * equals.length)];
  if (chosen) return chosen;
  throw new AppError("no_gateway", "No gateway takes calls at the moment; try again shortly.", {
    retryAfterSecs: RETRY_AFTER_SECS,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
