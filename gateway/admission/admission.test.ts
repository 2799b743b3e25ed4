import type { Bus } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { callPlanKey } from "@parley/shared/contracts/call-plan.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import { describe, expect, it } from "vitest";
import { TEST_PLAN_KEY } from "../../testkit/plan-key.ts";
import { leavePlan } from "../../testkit/session-plan.ts";
import type { LiveCall } from "../call/live-call.ts";
import { CallRegistry } from "../call/registry.ts";
import type { SocketPort } from "../uws/socket-port.ts";
import { isLive } from "../watch/is-live.ts";
import { type AdmissionDeps, createCallRoute } from "./admission.ts";

const call: LiveCall = {
  isOver: false,
  ended: undefined,
  attach: () => ({ ok: false, reason: "resume_invalid" }),
  tick: () => undefined,
  execute: () => ({ ok: true }),
  endAfterSentence: () => undefined,
  end: () => undefined,
};

const clock = new ManualClock();

const socket: SocketPort = {
  sendText: () => "sent",
  sendBinary: () => "sent",
  together: (work) => work(),
  bufferedBytes: 0,
  isOpen: true,
  close: () => undefined,
};

/** A node without calls, and a ticket for the session. */
function setUp(
  bus: Bus,
  ticket: { sessionId: string; expired: boolean },
  openCall: AdmissionDeps["openCall"],
) {
  const registry = new CallRegistry({
    clock,
    maxCalls: 10,
    onTickFailed: () => undefined,
    onSize: () => undefined,
  });
  const { sessionId, expired } = ticket;
  const deps: AdmissionDeps = {
    clock,
    bus,
    tickets: {
      verify: async () => ({ claims: { sessionId, orgId: "org_1", kind: "call" }, expired, givenMs: 0 }),
    },
    plans: new PlanBox(TEST_PLAN_KEY),
    registry,
    startTimeoutMs: 1_000,
    isDraining: () => false,
    openCall,
    metrics: createMetrics(),
    log: createLogger({ level: "silent", format: "json", name: "test" }),
  };
  return { registry, admit: () => createCallRoute(deps).admit({ sessionId, ticket: "ticket" }) };
}

/** Whether a used ticket opens a socket to a call of this node. */
async function admit(isOver: boolean) {
  const nothing = async (): Promise<never> => Promise.reject(new Error("not asked for"));
  const { registry, admit } = setUp(
    createMemoryBus({ clock }),
    { sessionId: "ses_1", expired: true },
    nothing,
  );
  registry.add("ses_1", "org_1", { ...call, isOver });
  return admit();
}

describe("a used ticket", () => {
  it("opens a socket to a live call, which looks at its resume token", async () => {
    expect(await admit(false)).toMatchObject({ ok: true });
  });

  it("opens none to a call that is over and whose record is being completed", async () => {
    expect(await admit(true)).toMatchObject({ ok: false, status: 404, code: "session_ended" });
  });
});

describe("a call", () => {
  it("is there for those who watch it while it is being opened", async () => {
    const bus = createMemoryBus({ clock });
    const sessionId = await leavePlan(bus, "nod_1");
    const opened = Promise.withResolvers<LiveCall>();
    const isAsked = Promise.withResolvers<void>();
    const { registry, admit } = setUp(bus, { sessionId, expired: false }, () => {
      isAsked.resolve();
      return opened.promise;
    });
    const isThere = (): Promise<boolean> => isLive(sessionId, { bus, registry });
    const admission = await admit();
    if (!admission.ok) throw new Error(admission.message);
    expect(await isThere()).toBe(true);
    admission.open(socket).onText('{"type":"start"}');
    await isAsked.promise;
    expect(await bus.keys.get(callPlanKey(sessionId))).toBeUndefined();
    expect(await isThere()).toBe(true);
    opened.resolve(call);
    await expect.poll(isThere).toBe(false);
  });
});
