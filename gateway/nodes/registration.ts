import type { Keys } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import {
  type GatewayNode,
  NODE_HEARTBEAT_MS,
  NODE_TTL_MS,
  nodeKey,
} from "@parley/shared/contracts/gateway-nodes.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

export interface RegistrationDeps {
  readonly keys: Pick<Keys, "get" | "set" | "delete">;
  readonly clock: Clock;
  readonly log: Logger;
  /** The node as it is at this moment. */
  readonly describe: () => GatewayNode;
  /** How often the way to the bus broke so far. */
  readonly outages: () => number;
  /** The bus may have lost what this node has written: it came back empty, or a part of it did. */
  readonly onForgotten: () => void;
}

export interface Registration {
  /** Writes the node down now, without waiting for the next heartbeat. */
  refresh(): Promise<void>;
  /** Takes the node off the list. */
  stop(): Promise<void>;
}

/** Keeps this node on the bus's list of gateways: where calls are placed, and the lease on its calls. */
export async function startRegistration(deps: RegistrationDeps): Promise<Registration> {
  const { keys, clock, log, describe, outages, onForgotten } = deps;
  let isListed = true;
  let outagesSeen = outages();
  const refresh = async (): Promise<void> => {
    const node = describe();
    const key = nodeKey(node.nodeId);
    try {
      const isKnown = (await keys.get(key)) !== undefined;
      await keys.set(key, JSON.stringify(node), NODE_TTL_MS);
      isListed = true;
      if (!isKnown || outages() !== outagesSeen) onForgotten();
      outagesSeen = outages();
    } catch (error) {
      // One line an outage, not one a heartbeat.
      if (isListed)
        log.warn(
          { event: "node_not_registered", err: messageOf(error) },
          "failed to register the node, trying again",
        );
      isListed = false;
    }
  };
  await refresh();
  const stopHeartbeat = clock.every(NODE_HEARTBEAT_MS, () => void refresh());
  return {
    refresh,
    stop: async () => {
      stopHeartbeat();
      await keys.delete(nodeKey(describe().nodeId)).catch((error: unknown) => {
        log.warn({ event: "node_not_unregistered", err: messageOf(error) }, "failed to unregister the node");
      });
    },
  };
}
