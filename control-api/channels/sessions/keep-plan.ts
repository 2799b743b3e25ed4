import type { Bus } from "@parley/shared/bus/bus.ts";
import { type CallPlan, callPlanKey, type ManualPlan } from "@parley/shared/contracts/call-plan.ts";
import type { PlanBox } from "@parley/shared/security/plan-box.ts";
import type { Database } from "../../database/open.ts";
import { insertCall, type Leg } from "./store.ts";

/** Longer than a ticket lives: the plan must be there for a socket that was just admitted. */
const PLAN_TTL_MS = 5 * 60_000;

/**
 * Leaves a call's plan for its gateway and writes the call down, in this order: whoever finds the call may send its
 * media to the gateway at once. Throws `AppError` conflict when its phone leg is another call's already.
 */
export async function keepPlan(
  plan: CallPlan | ManualPlan,
  leg: Leg & { readonly agentVersion?: number },
  { database, bus, plans }: { readonly database: Database; readonly bus: Bus; readonly plans: PlanBox },
): Promise<void> {
  const key = callPlanKey(plan.sessionId);
  await bus.keys.set(key, plans.seal(plan), PLAN_TTL_MS);
  try {
    await insertCall(database, plan, leg);
  } catch (error) {
    // Without a call nobody has a ticket for it, and nobody comes.
    await bus.keys.delete(key).catch(() => undefined);
    throw error;
  }
}
