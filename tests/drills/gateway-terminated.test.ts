import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { needs } from "../../testkit/needs.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { type GatewayProcess, Installation } from "./support/installation.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

describe.runIf(needs("redis") && needs("postgres"))("A gateway told to stop by SIGTERM", () => {
  let parley: Installation;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    parley = await Installation.start();
    await parley.startControlApi();
    gateway = await parley.startGateway();
  });
  afterAll(() => parley.remove());

  it("lets its calls finish, refuses new ones and exits with 0", DRILL, async () => {
    const calls = await parley.calls(sizeOf("gatewayTerminated").calls);
    await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
    const late = await parley.createSession();
    gateway.server.signal("SIGTERM");
    await expect
      .poll(() => gateway.server.logged("draining: no new calls, the live ones may end").length)
      .toBe(1);

    const refused = new WebSocket(late.websocketUrl);
    refused.on("error", () => undefined);
    const [, response] = (await once(refused, "unexpected-response")) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(503);
    const placed = await parley.request("POST", "/api/sessions/init-web-call", { agentId: parley.agentId });
    expect(placed.status).toBe(503);

    await Promise.all(calls.map((call) => call.ask("Are you leaving?")));
    const closed = await Promise.all(calls.map((call) => call.hangUp()));
    expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1000]));
    expect(await gateway.server.untilExit()).toEqual({ code: 0, signal: null });
    await expectRecordedOnce(parley, calls);
  });
});
