import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { nodeKey } from "@parley/shared/contracts/gateway-nodes.ts";
import { createLogger } from "@parley/shared/log.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestControlApi } from "../../testkit/control-api.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { needs, testRedisUrl } from "../../testkit/needs.ts";
import type { TestOrganization } from "../../testkit/organization.ts";
import { SteppingClock } from "../../testkit/stepping-clock.ts";
import { DrillCall } from "./support/drill-call.ts";
import { elapsed } from "./support/elapsed.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

const HOUR_MS = 3_600_000;
/** Lengths are kept in whole seconds, and a recording ends a moment before its call does. */
const TOLERANCE_SECS = 1;

/**
 * A gateway and a control API on one machine whose wall clock is set while calls are live. Both get the
 * stepped clock by the port all of the product takes its time from, so nothing has to be faked below them;
 * the lease is kept by a real Redis. A ticket's life is the only one that is wall-clock time, because
 * another machine reads it: one signed before a step forwards is too old after it, for a new call only.
 */
describe.runIf(needs("redis"))("The wall clock set under live calls", () => {
  const clock = new SteppingClock();
  let api: TestControlApi;
  let gateway: TestGateway;
  let brain: TestBrain;
  let acme: TestOrganization;
  beforeAll(async () => {
    const log = createLogger({ level: "silent", format: "json", name: "test" });
    const keyPrefix = `drill-${process.pid}-${Math.random().toString(36).slice(2)}:`;
    const openBus = () => connectRedisBus({ url: testRedisUrl(), log, keyPrefix });
    api = await TestControlApi.start({ clock, bus: await openBus() });
    gateway = await TestGateway.start({ clock, bus: await openBus(), keys: api.keys });
    brain = await TestBrain.saying("I hear you.");
    acme = await api.createOrganization({
      brain: { url: brain.url },
      silence: { promptAfterMs: 0, hangupAfterMs: 0 },
    });
  });
  afterAll(async () => {
    brain.close();
    await gateway.close();
    await api.close();
  });

  async function createSession(): Promise<{ sessionId: string; websocketUrl: string }> {
    const body = { agentId: acme.agentId };
    const answer = await api.call("POST", "/api/sessions/init-web-call", { key: acme.keys.developer, body });
    return answer.body.data as { sessionId: string; websocketUrl: string };
  }

  /** What is kept of a call, once its end is written down. */
  async function recordOf({ sessionId }: DrillCall) {
    const read = async () =>
      (await api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer })).body;
    await expect.poll(async () => (await read()).endTime, { timeout: 90_000 }).not.toBeNull();
    return (await read()) as {
      status: string;
      endReason: string | null;
      durationSecs: number;
      recording: { durationSecs: number };
    };
  }

  it("disturbs no call, no lease, no recording and no resume", DRILL, async () => {
    const { calls: count, steadyMs } = sizeOf("clockStepped");
    const secs = (fromMs: number): number => (performance.now() - fromMs) / 1000;
    const beganMs = performance.now();
    const sessions = await Promise.all(Array.from({ length: count }, createSession));
    const calls = await Promise.all(sessions.map((session) => DrillCall.start(session)));
    const allUpMs = performance.now();
    for (const byMs of [3 * HOUR_MS, -6 * HOUR_MS, 3 * HOUR_MS]) {
      const early = await createSession();
      clock.step(byMs);
      await Promise.all(calls.map((call) => call.ask(`Is it later by ${byMs / HOUR_MS} hours?`)));
      // Tickets signed from here on are good, and so is one from before a step backwards.
      const fresh = await DrillCall.start(byMs < 0 ? early : await createSession());
      await fresh.hangUp();
    }
    clock.step(3 * HOUR_MS);
    await elapsed(steadyMs);
    await Promise.all(sessions.map((session, index) => calls[index]?.comeBack(session.websocketUrl)));
    await Promise.all(calls.map((call) => call.ask("Are we still talking?")));
    expect(await gateway.bus.keys.get(nodeKey(gateway.gateway.nodeId))).toBeDefined();
    const atLeastSecs = secs(allUpMs) - TOLERANCE_SECS;
    await Promise.all(calls.map((call) => call.hangUp()));
    const atMostSecs = secs(beganMs) + TOLERANCE_SECS;
    for (const call of calls) {
      const { status, endReason, durationSecs, recording } = await recordOf(call);
      expect({ status, endReason }).toEqual({ status: "completed", endReason: null });
      for (const length of [durationSecs, recording.durationSecs]) {
        expect(length).toBeGreaterThan(atLeastSecs);
        expect(length).toBeLessThan(atMostSecs);
      }
    }
  });
});
