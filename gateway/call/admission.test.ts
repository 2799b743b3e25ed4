import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import { describe, expect, it } from "vitest";
import { TEST_PLAN_KEY } from "../../tests/support/plan-key.ts";
import { type AdmissionDeps, createCallRoute } from "./admission.ts";
import type { LiveCall } from "./live-call.ts";
import { CallRegistry } from "./registry.ts";

const sessionId = "ses_1";

/** Whether a used ticket opens a socket to a call of this node. */
async function admit(isOver: boolean) {
  const clock = new ManualClock();
  const registry = new CallRegistry({
    clock,
    maxCalls: 10,
    onTickFailed: () => undefined,
    onSize: () => undefined,
  });
  const nothing = async (): Promise<never> => Promise.reject(new Error("not asked for"));
  const call: LiveCall = {
    isOver,
    ended: undefined,
    attach: () => ({ ok: false, reason: "resume_invalid" }),
    tick: () => undefined,
    obey: () => ({ ok: true }),
    endAfterSentence: () => undefined,
    end: () => undefined,
  };
  registry.add(sessionId, "org_1", call);
  const deps: AdmissionDeps = {
    clock,
    bus: createMemoryBus({ clock }),
    tickets: { verify: async () => ({ claims: { sessionId, orgId: "org_1", kind: "call" }, expired: true }) },
    plans: new PlanBox(TEST_PLAN_KEY),
    registry,
    startTimeoutMs: 1_000,
    isDraining: () => false,
    openCall: nothing,
    metrics: createMetrics(),
    log: createLogger({ level: "silent", format: "json", name: "test" }),
  };
  return createCallRoute(deps).admit({ sessionId, ticket: "ticket" });
}

describe("a used ticket", () => {
  it("opens a socket to a live call, which looks at its resume token", async () => {
    expect(await admit(false)).toMatchObject({ ok: true });
  });

  it("opens none to a call that is over and whose record is being completed", async () => {
    expect(await admit(true)).toMatchObject({ ok: false, status: 404, code: "session_ended" });
  });
});
