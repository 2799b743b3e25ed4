import { once } from "node:events";
import { gatewayNodeSchema, nodeKey } from "@parley/shared/contracts/gateway-nodes.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { TestGateway } from "../../testkit/gateway.ts";

async function start(env: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await TestGateway.start({ env });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** The status a websocket client is refused with. */
function refused(url: string): Promise<{ status: number | undefined; retryAfter: string | undefined }> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.on("error", () => undefined);
    socket.on("unexpected-response", (_request, { statusCode, headers }) =>
      resolve({ status: statusCode, retryAfter: headers["retry-after"] }),
    );
  });
}

describe("a node", () => {
  it("is on the bus's list with its address, and off it when it is gone", async () => {
    const { gateway, bus, close } = await TestGateway.start().then((test) => ({
      gateway: test.gateway,
      bus: test.bus,
      close: () => test.close(),
    }));
    const listed = gatewayNodeSchema.parse(JSON.parse((await bus.keys.get(nodeKey(gateway.nodeId))) ?? ""));
    expect(listed).toMatchObject({ nodeId: gateway.nodeId, publicUrl: gateway.publicUrl, draining: false });
    await close();
    expect(await bus.keys.get(nodeKey(gateway.nodeId))).toBeUndefined();
  });

  it("that drains lets its calls finish, refuses new ones and then is gone", async () => {
    const gateway = await start();
    const brain = await TestBrain.saying("Still here.");
    onTestFinished(() => brain.close());
    const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
    const waiting = await gateway.createSession();
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const drained = gateway.gateway.drain();
    await expect.poll(async () => (await fetch(`${gateway.httpUrl}/readyz`)).status).toBe(503);
    expect(await refused(waiting.websocketUrl)).toEqual({ status: 503, retryAfter: "2" });
    caller.send({ type: "text", text: "Hello" });
    expect(await caller.said("assistant")).toMatchObject({ text: "Still here." });
    caller.send({ type: "hangup" });
    expect(await caller.untilClosed()).toMatchObject({ code: 1000 });
    await drained;
    await expect(fetch(`${gateway.httpUrl}/healthz`)).rejects.toThrow();
  });

  it("that has to go before its calls are over closes them with 1012 and records their end", async () => {
    const gateway = await start({ DRAIN_TIMEOUT_MS: "50" });
    const { websocketUrl, sessionId } = await gateway.createSession();
    const caller = await TestCaller.start(websocketUrl);
    const drained = gateway.gateway.drain();
    expect(await caller.next("error")).toMatchObject({ code: "draining", fatal: true });
    expect(await caller.untilClosed()).toMatchObject({ code: 1012 });
    await drained;
    expect((await gateway.eventsOf(sessionId)).at(-1)).toMatchObject({
      type: "call.ended",
      reason: "node_draining",
    });
  });

  it("notices a peer that is gone without a word, and ends its call when it does not come back", async () => {
    const gateway = await start({ IDLE_TIMEOUT_SECS: "8", RESUME_WINDOW_MS: "100" });
    const { websocketUrl, sessionId } = await gateway.createSession();
    const socket = new WebSocket(websocketUrl, { autoPong: false });
    await once(socket, "open");
    socket.send('{"type":"start"}');
    await once(socket, "message");
    // Half open: nothing is read or answered any more.
    socket.pause();
    await expect
      .poll(async () => (await gateway.metrics.callSockets.get()).values[0]?.value, { timeout: 90_000 })
      .toBe(0);
    expect((await gateway.eventsOf(sessionId)).at(-1)).toMatchObject({
      type: "call.ended",
      reason: "hangup",
    });
    socket.terminate();
  });

  it("holds a thousand sockets that never start, and lets them go", async () => {
    const gateway = await start({ START_TIMEOUT_MS: "1500" });
    const sessions = await Promise.all(Array.from({ length: 50 }, () => gateway.createSession()));
    const sockets = sessions.flatMap(({ websocketUrl }) =>
      Array.from({ length: 20 }, () => new WebSocket(websocketUrl)),
    );
    const codes = await Promise.all(
      sockets.map(async (socket) => (await once(socket, "close"))[0] as number),
    );
    expect(new Set(codes)).toEqual(new Set([4008]));
    expect((await gateway.metrics.callSockets.get()).values[0]?.value).toBe(0);
  });
});
