import { toTimestamp } from "@parley/shared/clock.ts";
import { type ManualPlan, manualPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import type { GatewayNode } from "@parley/shared/contracts/gateway-nodes.ts";
import { newId } from "@parley/shared/ids.ts";
import { chooseNode } from "../gateways/choose-node.ts";
import { keepPlan } from "./keep-plan.ts";
import type { SessionDeps } from "./prepare-call.ts";
import type { AskedBy, Leg } from "./store.ts";

interface ManualCallRequest {
  readonly orgId: string;
  /** The member whose softphone places the call. */
  readonly userId: string;
  readonly answerWithinMs: number;
  readonly incoming: boolean;
  readonly leg: Leg & Pick<AskedBy, "keyId">;
}

/**
 * Places a manual call on a gateway, freezes its plan and records it: whichever end connects first opens it. Throws
 * `AppError` no_gateway, conflict (its leg has a call already), payment_required, spending_limit_reached.
 */
export async function prepareManualCall(
  { leg, ...about }: ManualCallRequest,
  deps: SessionDeps,
): Promise<{ plan: ManualPlan; node: GatewayNode }> {
  const node = await chooseNode(deps.bus.keys);
  const plan = manualPlanSchema.parse({
    ...about,
    mode: "manual",
    sessionId: newId("ses"),
    callId: newId("cal"),
    nodeId: node.nodeId,
    createdAt: toTimestamp(deps.clock.wallMs()),
  });
  await keepPlan(plan, leg, deps);
  return { plan, node };
}
