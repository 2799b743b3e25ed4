import type { Bus } from "@parley/shared/bus/bus.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { CALL_EVENTS_STREAM, type CallEvent, type EndReason } from "@parley/shared/contracts/call-events.ts";
import { callPlanKey, liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { NODE_TTL_MS, nodeKey } from "@parley/shared/contracts/gateway-nodes.ts";
import { framesChannel, type StreamFrame } from "@parley/shared/contracts/stream-frames.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { findLiveCalls, findUnconnectedCalls, type OpenCall } from "./store.ts";

const SWEEP_EVERY_MS = 5_000;
/** Behind whatever the lost node may still have sent. */
const LAST_SEQ = 2_000_000_000;
/** A caller that has not connected by then does not come any more: the ticket lived 60 s. */
const CONNECT_WITHIN_MS = 90_000;

export interface SweeperDeps {
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Ends what nobody else will end: calls whose node died, and sessions nobody connected to. The events it
 * raises have ids made from the call, so that several sweepers end a call once.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  /** Since when a node's registration has been missing. */
  readonly #missingSinceMs = new Map<string, number>();
  #stop: () => void = () => undefined;

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stop = this.#deps.clock.every(SWEEP_EVERY_MS, () => {
      this.sweep().catch((error: unknown) => {
        this.#deps.log.warn({ err: messageOf(error) }, "the sweep failed, it comes again");
      });
    });
  }

  stop(): void {
    this.#stop();
  }

  async sweep(): Promise<void> {
    const { database, clock } = this.#deps;
    for (const call of await findLiveCalls(database)) {
      if (await this.#isNodeLost(call.nodeId)) await this.#end(call, "node_lost", "failed");
    }
    const connectedBy = new Date(clock.wallMs() - CONNECT_WITHIN_MS);
    for (const call of await findUnconnectedCalls(database, connectedBy)) {
      // A call whose `call.started` is still on its way has a holder.
      if ((await this.#deps.bus.keys.get(liveCallKey(call.sessionId))) !== undefined) continue;
      await this.#deps.bus.keys.delete(callPlanKey(call.sessionId));
      await this.#end(call, "never_connected", "canceled");
    }
  }

  /** A registration may be late once; it is lost when it stays away for as long as it lives. */
  async #isNodeLost(nodeId: string): Promise<boolean> {
    const { bus, clock } = this.#deps;
    if ((await bus.keys.get(nodeKey(nodeId))) !== undefined) {
      this.#missingSinceMs.delete(nodeId);
      return false;
    }
    const nowMs = clock.monotonicMs();
    const sinceMs = this.#missingSinceMs.get(nodeId) ?? nowMs;
    this.#missingSinceMs.set(nodeId, sinceMs);
    return nowMs - sinceMs >= NODE_TTL_MS / 2;
  }

  async #end(call: OpenCall, reason: EndReason, status: "failed" | "canceled"): Promise<void> {
    const { bus, clock, log } = this.#deps;
    const { sessionId, orgId } = call;
    const event: CallEvent = {
      id: `evt_${reason}_${sessionId}`,
      sessionId,
      orgId,
      seq: LAST_SEQ,
      at: toTimestamp(clock.wallMs()),
      type: "call.ended",
      reason,
      status,
    };
    await bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(event));
    const frame: StreamFrame = { topic: "call.ended", sessionId, data: { reason, durationSecs: 0 } };
    await bus.channels.publish(framesChannel(sessionId), JSON.stringify(frame));
    await bus.keys.delete(liveCallKey(sessionId));
    log.warn({ sessionId, reason }, "a call was ended by the sweeper");
  }
}
