import type { Bus, Keys } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import { NODE_HEARTBEAT_MS, NODE_TTL_MS, nodeKey } from "../contracts/gateway-nodes.ts";

/** How long a registration must be missing: a node that was cut off rewrites it well within this time. */
const MISSING_FOR_MS = NODE_TTL_MS / 2;
/** How long the bus must have accepted writes, so that each live node has written its registration. */
const WRITABLE_FOR_MS = NODE_TTL_MS + NODE_HEARTBEAT_MS;

export interface LostNodesDeps {
  readonly bus: Pick<Bus, "writableForMs"> & { readonly keys: Pick<Keys, "get"> };
  readonly clock: Clock;
}

/**
 * Tells which gateways are gone, by the registration each keeps on the bus. A missing registration may only be late,
 * especially after the bus was away or refused writes; a node counts as lost when its registration stays missing
 * although the node could have renewed it.
 */
export class LostNodes {
  readonly #bus: LostNodesDeps["bus"];
  readonly #clock: Clock;
  readonly #missingSinceMs = new Map<string, number>();

  constructor(deps: LostNodesDeps) {
    this.#bus = deps.bus;
    this.#clock = deps.clock;
  }

  /** Ask every few seconds until the answer is true. Rejects when the bus is unavailable. */
  async isLost(nodeId: string): Promise<boolean> {
    if (await this.#isRegistered(nodeId)) {
      this.#missingSinceMs.delete(nodeId);
      return false;
    }
    const nowMs = this.#clock.monotonicMs();
    const sinceMs = this.#missingSinceMs.get(nodeId) ?? nowMs;
    this.#missingSinceMs.set(nodeId, sinceMs);
    return nowMs - sinceMs >= MISSING_FOR_MS && this.#bus.writableForMs() >= WRITABLE_FOR_MS;
  }

  /** Forgets other nodes, about which nobody will ask again. */
  keepOnly(nodeIds: ReadonlySet<string>): void {
    for (const known of this.#missingSinceMs.keys()) {
      if (!nodeIds.has(known)) this.#missingSinceMs.delete(known);
    }
  }

  async #isRegistered(nodeId: string): Promise<boolean> {
    try {
      return (await this.#bus.keys.get(nodeKey(nodeId))) !== undefined;
    } catch (error) {
      // Nobody could register meanwhile: the wait restarts when the bus is back.
      this.#missingSinceMs.clear();
      throw error;
    }
  }
}
