import type { Bus } from "@parley/shared/bus/bus.ts";
import { callPlanKey, liveCallKey, openingCallKey } from "@parley/shared/contracts/call-plan.ts";
import { NODE_HEARTBEAT_MS } from "@parley/shared/contracts/gateway-nodes.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { CallRegistry } from "../call/registry.ts";

/** After an outage of the bus, every node has reported its calls again within two heartbeats. */
const TOLD_AGAIN_WITHIN_MS = 2 * NODE_HEARTBEAT_MS;
const RETRY_AFTER_SECS = 2;

/**
 * True if any node holds or opens the call, or a plan waits for its caller. Throws `AppError` unavailable while the
 * answer is unknowable because a bus that came back empty has yet to learn of its calls. Rejects if the bus is away.
 */
export async function isLive(
  sessionId: string,
  deps: { bus: Pick<Bus, "keys" | "outages" | "writableForMs">; registry: Pick<CallRegistry, "get"> },
): Promise<boolean> {
  const { bus, registry } = deps;
  if (registry.get(sessionId)) return true;
  // Checked in the order of a call's life: each key exists before the previous one goes.
  for (const key of [callPlanKey(sessionId), openingCallKey(sessionId), liveCallKey(sessionId)])
    if ((await bus.keys.get(key)) !== undefined) return true;
  if (bus.outages() === 0 || bus.writableForMs() >= TOLD_AGAIN_WITHIN_MS) return false;
  throw new AppError("unavailable", "The calls of other nodes are not known yet, try again.", {
    retryAfterSecs: RETRY_AFTER_SECS,
  });
}
