import { toTimestamp } from "@parley/shared/clock.ts";
import { callPlanKey, type ManualPlan, manualPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import type { GatewayNode } from "@parley/shared/contracts/gateway-nodes.ts";
import { newId } from "@parley/shared/ids.ts";
import { chooseNode } from "./choose-node.ts";
import type { SessionDeps } from "./prepare-call.ts";
import { insertCall, type Leg } from "./store.ts";

const PLAN_TTL_MS = 5 * 60_000;

interface ManualCallRequest {
  readonly orgId: string;
  /** The member whose softphone it is. */
  readonly userId: string;
  readonly answerWithinMs: number;
  readonly incoming: boolean;
  readonly leg: Leg;
}

/**
 * Places a manual call on a gateway, freezes its plan and writes it down: whichever of its two ends comes first opens
 * it. Throws `AppError` no_gateway.
 */
export async function prepareManualCall(
  { leg, ...about }: ManualCallRequest,
  { database, bus, plans, clock }: SessionDeps,
): Promise<{ plan: ManualPlan; node: GatewayNode }> {
  const node = await chooseNode(bus.keys);
  const plan = manualPlanSchema.parse({
    ...about,
    mode: "manual",
    sessionId: newId("ses"),
    callId: newId("cal"),
    nodeId: node.nodeId,
    createdAt: toTimestamp(clock.wallMs()),
  });
  await insertCall(database, plan, leg);
  await bus.keys.set(callPlanKey(plan.sessionId), plans.seal(plan), PLAN_TTL_MS);
  return { plan, node };
}
