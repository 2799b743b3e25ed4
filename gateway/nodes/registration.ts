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
  /** Describes the node's current state. */
  readonly describe: () => GatewayNode;
  /** How often the connection to the bus has broken so far. */
  readonly outages: () => number;
  /** Called when the bus may have lost what this node wrote: all of it or a part. */
  readonly onForgotten: () => void;
}

export interface Registration {
  /** Writes the node's entry now, without waiting for the next heartbeat. */
  refresh(): Promise<void>;
  /** Takes the node off the list. */
  stop(): Promise<void>;
}

/** Keeps this node on the bus's list of gateways, which places calls and is the lease on the node's calls. */
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
      // Logs once per outage rather than once per heartbeat.
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
