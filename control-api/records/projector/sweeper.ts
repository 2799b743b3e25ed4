import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { LAST_SEQ } from "@parley/shared/contracts/call-events.ts";
import {
  callPlanKey,
  LOST_CALL_KEPT_MS,
  liveCallKey,
  lostCallKey,
} from "@parley/shared/contracts/call-plan.ts";
import { type EndReason, endFor, stateOf } from "@parley/shared/contracts/call-status.ts";
import { NODE_TTL_MS } from "@parley/shared/contracts/gateway-nodes.ts";
import { framesChannel, type StreamFrame } from "@parley/shared/contracts/stream-frames.ts";
import type { Logger } from "@parley/shared/log.ts";
import { LostNodes } from "@parley/shared/nodes/lost-nodes.ts";
import type { Database } from "../../database/open.ts";
import { findCallsOf, findNodesWithCalls, findUnconnectedCalls, type OpenCall } from "./store.ts";
import { tellEnd } from "./tell-end.ts";

/** Together with the lifetime of a registration and the allowed delay of a node, a lost call ends within 25 s. */
export const SWEEP_EVERY_MS = 3_000;
/** A caller not connected by then will not come: the ticket was valid for 60 s. */
const CONNECT_WITHIN_MS = 90_000;
/** By then every gateway has rewritten what only Redis holds. */
const TOLD_AGAIN_WITHIN_MS = NODE_TTL_MS;

export interface SweeperDeps {
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Ends what nobody else will: calls whose node died, and sessions nobody connected to. Its events' ids derive from the
 * call, so that several sweepers end a call once.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  readonly #nodes: LostNodes;

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
    this.#nodes = new LostNodes(deps);
  }

  async sweep(): Promise<void> {
    const asked = new Set([...(await this.#endLostCalls()), ...(await this.#endUnconnected())]);
    this.#nodes.keepOnly(asked);
  }

  /** Returns the nodes it asked about. */
  async #endLostCalls(): Promise<string[]> {
    const { database } = this.#deps;
    const nodeIds = await findNodesWithCalls(database);
    for (const nodeId of nodeIds) {
      if (!(await this.#nodes.isLost(nodeId))) continue;
      for (const call of await findCallsOf(database, nodeId)) await this.#end(call, "node_lost");
    }
    return nodeIds;
  }

  /** Returns the nodes it asked about. */
  async #endUnconnected(): Promise<string[]> {
    const { bus, database, clock } = this.#deps;
    const connectedBy = new Date(clock.wallMs() - CONNECT_WITHIN_MS);
    const holders: string[] = [];
    for (const call of await findUnconnectedCalls(database, connectedBy)) {
      const holder = await bus.keys.get(liveCallKey(call.sessionId));
      if (holder === undefined) {
        // After Redis returns empty, nodes report their live calls with their next heartbeats.
        if (bus.writableForMs() < TOLD_AGAIN_WITHIN_MS) continue;
        await bus.keys.delete(callPlanKey(call.sessionId));
        await this.#end(call, "never_connected");
        continue;
      }
      // Its `call.started` is on its way, or was lost with its holder.
      holders.push(holder);
      if (await this.#nodes.isLost(holder)) await this.#end(call, "node_lost");
    }
    return holders;
  }

  async #end(call: OpenCall, reason: EndReason): Promise<void> {
    const { bus, log } = this.#deps;
    const { sessionId } = call;
    const end = endFor(stateOf(call), reason);
    // Before its end is told: a node that comes back meanwhile must not go on with it.
    if (reason === "node_lost") await bus.keys.set(lostCallKey(sessionId), reason, LOST_CALL_KEPT_MS);
    await tellEnd(call, { id: `evt_${reason}_${sessionId}`, seq: LAST_SEQ, end }, this.#deps);
    const frame: StreamFrame = { topic: "call.ended", sessionId, data: { reason, durationSecs: 0 } };
    await bus.channels.publish(framesChannel(sessionId), JSON.stringify(frame));
    await bus.keys.delete(liveCallKey(sessionId));
    log.warn({ event: "call_swept", sessionId, reason }, "the sweeper ended a call");
  }
}
