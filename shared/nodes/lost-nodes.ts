import type { Bus, Keys } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import { NODE_HEARTBEAT_MS, NODE_TTL_MS, nodeKey } from "../contracts/gateway-nodes.ts";

/** How long a registration has to be missing: a node that was cut off writes it again well within this. */
const MISSING_FOR_MS = NODE_TTL_MS / 2;
/** How long the bus has to have taken writes, so that each node that lives has written its registration. */
const WRITABLE_FOR_MS = NODE_TTL_MS + NODE_HEARTBEAT_MS;

export interface LostNodesDeps {
  readonly bus: Pick<Bus, "writableForMs"> & { readonly keys: Pick<Keys, "get"> };
  readonly clock: Clock;
}

/**
 * Tells which gateways are gone, by the registration each of them keeps on the bus. One that is missing may
 * only be late, above all after the bus was away or took no writes; it counts as lost when it stays away although it
 * could have come back.
 */
export class LostNodes {
  readonly #bus: LostNodesDeps["bus"];
  readonly #clock: Clock;
  readonly #missingSinceMs = new Map<string, number>();

  constructor(deps: LostNodesDeps) {
    this.#bus = deps.bus;
    this.#clock = deps.clock;
  }

  /** To be asked every few seconds until it says so. Rejects when the bus is away. */
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

  /** Nobody will ask about other nodes any more. */
  keepOnly(nodeIds: ReadonlySet<string>): void {
    for (const known of this.#missingSinceMs.keys()) {
      if (!nodeIds.has(known)) this.#missingSinceMs.delete(known);
    }
  }

  async #isRegistered(nodeId: string): Promise<boolean> {
    try {
      return (await this.#bus.keys.get(nodeKey(nodeId))) !== undefined;
    } catch (error) {
      // Nobody could register meanwhile either: the waiting begins again when the bus is back.
      this.#missingSinceMs.clear();
      throw error;
    }
  }
}
