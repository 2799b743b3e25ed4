import type { Bus } from "@parley/shared/bus/bus.ts";
import { callPlanKey, liveCallKey, openingCallKey } from "@parley/shared/contracts/call-plan.ts";
import { NODE_HEARTBEAT_MS } from "@parley/shared/contracts/gateway-nodes.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { CallRegistry } from "../call/registry.ts";

/** After an outage of the bus: two heartbeats, by which every node has told it of its calls again. */
const TOLD_AGAIN_WITHIN_MS = 2 * NODE_HEARTBEAT_MS;
const RETRY_AFTER_SECS = 2;

/**
 * Whether any node holds the call or opens it, or a plan waits for its caller. Throws `AppError` unavailable while nobody can know:
 * a bus that came back empty is told of its calls again. Rejects when the bus is away.
 */
export async function isLive(
  sessionId: string,
  deps: { bus: Pick<Bus, "keys" | "outages" | "writableForMs">; registry: Pick<CallRegistry, "get"> },
): Promise<boolean> {
  const { bus, registry } = deps;
  if (registry.get(sessionId)) return true;
  // One after the other, as a call has them: each is there before the one before it goes.
  for (const key of [callPlanKey(sessionId), openingCallKey(sessionId), liveCallKey(sessionId)])
    if ((await bus.keys.get(key)) !== undefined) return true;
  if (bus.outages() === 0 || bus.writableForMs() >= TOLD_AGAIN_WITHIN_MS) return false;
  throw new AppError("unavailable", "The calls of other nodes are not known yet, try again.", {
    retryAfterSecs: RETRY_AFTER_SECS,
  });
}
