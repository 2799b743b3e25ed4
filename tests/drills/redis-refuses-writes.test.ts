import { nodeKey } from "@parley/shared/contracts/gateway-nodes.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { elapsed } from "./support/elapsed.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { type GatewayProcess, Installation } from "./support/installation.ts";
import { metricAt } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

/** Two beats of a gateway. */
const BACK_WITHIN_MS = 60_000;

/** The treacherous kind of outage: connections stay open, what is asked is answered, nothing can be renewed. */
describe.runIf(needs("redis") && needs("postgres"))("Redis that is full under live calls", () => {
  let parley: Installation;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    parley = await Installation.start();
    await parley.startControlApi();
    gateway = await parley.startGateway();
  });
  afterAll(() => parley.remove());

  const place = () => parley.request("POST", "/api/sessions/init-web-call", { agentId: parley.agentId });
  const gatewayUrl = (): string => gateway.publicUrl.replace(/^ws/, "http");
  const ready = async (): Promise<number[]> => {
    const urls = [gatewayUrl(), parley.apiUrl];
    return Promise.all(urls.map(async (url) => (await fetch(`${url}/readyz`)).status));
  };
  const busReady = (): Promise<number[]> =>
    Promise.all([gatewayUrl(), parley.apiUrl].map((url) => metricAt(url, "parley_bus_ready")));

  it("is told by everybody, and no call that lives is recorded as lost", DRILL, async () => {
    const { calls: count, awayMs } = sizeOf("redisRefusesWrites");
    const calls = await parley.calls(count);
    await Promise.all(calls.map((call) => call.ask("Can you hear me?")));

    await parley.redis.fill();
    const away = elapsed(awayMs);
    const refused = await place();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ success: false, code: "unavailable" });
    await expect.poll(ready, { timeout: 90_000 }).toEqual([503, 503]);
    expect(await busReady()).toEqual([0, 0]);
    // Its lifetime is over before the sweeper has asked twice.
    await parley.redis.drop(`parley:${nodeKey(gateway.nodeId)}`);
    await Promise.all(calls.map((call) => call.ask("And now?")));
    await away;
    await parley.redis.makeRoom();

    await expect.poll(ready, { timeout: BACK_WITHIN_MS }).toEqual([200, 200]);
    expect(await busReady()).toEqual([1, 1]);
    await expect.poll(async () => (await place()).status, { timeout: BACK_WITHIN_MS }).toBe(200);
    await Promise.all(calls.map((call) => call.ask("And after it?")));
    await Promise.all(calls.map((call) => call.hangUp()));
    await expectRecordedOnce(parley, calls);
    for (const { sessionId } of calls) {
      const ends = (await parley.recorded(sessionId)).filter(({ type }) => type === "call.ended");
      expect(ends).toMatchObject([{ reason: "hangup", status: "completed" }]);
    }
  });
});
