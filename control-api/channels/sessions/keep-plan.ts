import type { Bus } from "@parley/shared/bus/bus.ts";
import { type CallPlan, callPlanKey, type ManualPlan } from "@parley/shared/contracts/call-plan.ts";
import type { PlanBox } from "@parley/shared/security/plan-box.ts";
import type { Database } from "../../database/open.ts";
import type { AdmitCall } from "./admission.ts";
import { type AskedBy, insertCall, type Leg } from "./store.ts";

/** Outlives a ticket: a socket that was just admitted needs the plan. */
const PLAN_TTL_MS = 5 * 60_000;

export interface KeepPlanDeps {
  readonly database: Database;
  readonly bus: Bus;
  readonly plans: PlanBox;
  readonly admitCall: AdmitCall;
}

/**
 * Stores a call's plan for its gateway, then records the call, in this order: whoever finds the call may send its media
 * to the gateway at once. Throws `AppError` conflict if its phone leg already has a call, and what `admitCall` throws.
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
    // Without a call, nobody has a ticket to use the plan.
    await bus.keys.delete(key).catch(() => undefined);
    throw error;
  }
}
