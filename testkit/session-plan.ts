import type { Bus } from "@parley/shared/bus/bus.ts";
import { systemClock, toTimestamp } from "@parley/shared/clock.ts";
import { callPlanKey, callPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import { newId } from "@parley/shared/ids.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import type { z } from "zod";
import { TEST_PLAN_KEY } from "./plan-key.ts";

/** What a test says of its agent; everything else is the default. */
export type PlanInput = Partial<z.input<typeof callPlanSchema>> & { brainUrl?: string };

/** How long a plan waits for its caller. */
const PLAN_TTL_MS = 60_000;

/** Does what the control API does for a web call: leaves a plan on the bus. Gives its session. */
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
    // A machine that tests keep busy is slow: only who asks for that line hears it.
    waiting: { afterMs: 0 },
    ...rest,
  });
  await bus.keys.set(callPlanKey(sessionId), new PlanBox(TEST_PLAN_KEY).seal(plan), PLAN_TTL_MS);
  return sessionId;
}
