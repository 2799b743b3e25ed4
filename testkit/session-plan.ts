import type { Bus } from "@parley/shared/bus/bus.ts";
import { systemClock, toTimestamp } from "@parley/shared/clock.ts";
import { callPlanKey, callPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import { newId } from "@parley/shared/ids.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import type { z } from "zod";
import { TEST_PLAN_KEY } from "./plan-key.ts";

/** A test's agent settings; everything else is the default. */
export type PlanInput = Partial<z.input<typeof callPlanSchema>> & { brainUrl?: string };

/** How long a plan waits for its caller. */
const PLAN_TTL_MS = 60_000;

/** Does the control API's work for a web call: leaves a plan on the bus. Returns its session. */
export async function leavePlan(bus: Bus, nodeId: string, input: PlanInput = {}): Promise<string> {
  const { brainUrl, ...rest } = input;
  const sessionId = newId("ses");
  const plan = callPlanSchema.parse({
    brain: { url: brainUrl ?? "http://127.0.0.1:9/" },
    sessionId,
    callId: newId("cal"),
    orgId: "org_test",
    agentId: "agt_test",
    userId: "usr_test",
    identifier: null,
    variables: {},
    nodeId,
    createdAt: toTimestamp(systemClock.wallMs()),
    recording: false,
    // Tests make the machine slow, so the waiting line is off unless requested.
    waiting: { afterMs: 0 },
    ...rest,
  });
  await bus.keys.set(callPlanKey(sessionId), new PlanBox(TEST_PLAN_KEY).seal(plan), PLAN_TTL_MS);
  return sessionId;
}
