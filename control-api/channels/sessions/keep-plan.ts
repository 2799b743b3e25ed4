import type { Bus } from "@parley/shared/bus/bus.ts";
import { type CallPlan, callPlanKey, type ManualPlan } from "@parley/shared/contracts/call-plan.ts";
import type { PlanBox } from "@parley/shared/security/plan-box.ts";
import type { Database } from "../../database/open.ts";
import type { AdmitCall } from "./admission.ts";
import { type AskedBy, insertCall, type Leg } from "./store.ts";

/** Longer than a ticket lives: the plan must be there for a socket that was just admitted. */
const PLAN_TTL_MS = 5 * 60_000;

export interface KeepPlanDeps {
  readonly database: Database;
  readonly bus: Bus;
  readonly plans: PlanBox;
  readonly admitCall: AdmitCall;
}

/**
 * Leaves a call's plan for its gateway and writes the call down, in this order: whoever finds the call may send its
 * media to the gateway at once. Throws `AppError` conflict when its phone leg is another call's already, and what
 * `admitCall` throws.
 */
export async function keepPlan(
  plan: CallPlan | ManualPlan,
  leg: Leg & AskedBy,
  deps: KeepPlanDeps,
): Promise<void> {
  const { bus, plans } = deps;
  const key = callPlanKey(plan.sessionId);
  await bus.keys.set(key, plans.seal(plan), PLAN_TTL_MS);
  try {
    await insertCall(plan, leg, deps);
  } catch (error) {
    // Without a call nobody has a ticket for it, and nobody comes.
    await bus.keys.delete(key).catch(() => undefined);
    throw error;
  }
}
