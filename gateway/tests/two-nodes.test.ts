import { once } from "node:events";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { request } from "@parley/shared/bus/request-reply.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { type CallCommand, commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { watchedKey } from "@parley/shared/contracts/stream-frames.ts";
import { createLogger } from "@parley/shared/log.ts";
import { generateTicketKeys } from "@parley/shared/security/tickets.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { needs, testRedisUrl } from "../../testkit/needs.ts";

describe.runIf(needs("redis"))("two nodes on one Redis", () => {
  let holder: TestGateway;
  let other: TestGateway;
  let brain: TestBrain;

  beforeAll(async () => {
    const log = createLogger({ level: "silent", format: "json", name: "test" });
    const keyPrefix = `test-${process.pid}-${Math.random().toString(36).slice(2)}:`;
    const keys = generateTicketKeys();
    const start = async () =>
      TestGateway.start({ keys, bus: await connectRedisBus({ url: testRedisUrl(), log, keyPrefix }) });
    [holder, other] = await Promise.all([start(), start()]);
    brain = await TestBrain.saying("Hello from afar.");
  });
  afterAll(async () => {
    brain.close();
    await holder.close();
    await other.close();
  });

  it("let a call on the one be watched on the other, live and to its end", async () => {
    const { sessionId, websocketUrl } = await holder.createSession({ brainUrl: brain.url });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const frames: { topic: string; data: Record<string, unknown> }[] = [];
    const watcher = new WebSocket(await other.url("stream", sessionId));
    watcher.on("message", (text) => frames.push(JSON.parse(String(text))));
    const closed = new Promise<number>((resolve) => watcher.once("close", resolve));
    await new Promise((resolve) => watcher.once("open", resolve));
    // A watcher sees what happens from its subscription on: ask until it is in force.
    await expect
      .poll(() => {
        caller.send({ type: "dtmf", digit: "1" });
        return frames.length;
      })
      .toBeGreaterThan(0);
    const turns = () => frames.filter(({ topic }) => topic === "call.turn").map(({ data }) => data.text);
    // The keys are a turn themselves: what is said next waits for its answer, or would be cut short by it.
    await expect.poll(turns).toContain("Hello from afar.");
    caller.send({ type: "hangup" });
    expect(await closed).toBe(1000);
    expect(frames.at(-1)?.topic).toBe("call.ended");
  });

  it("let a watcher who is there before the caller see the call from its first frame on", async () => {
    const { sessionId, websocketUrl } = await holder.createSession({ firstResponse: "Good morning." });
    const watcher = new WebSocket(await other.url("stream", sessionId));
    const first = new Promise<string>((resolve) => watcher.once("message", (text) => resolve(String(text))));
    await new Promise((resolve) => watcher.once("open", resolve));
    await expect.poll(() => other.bus.keys.get(watchedKey(sessionId))).toBeDefined();
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    await caller.said("assistant");
    expect(JSON.parse(await first)).toMatchObject({ data: { role: "assistant", text: "Good morning." } });
    watcher.terminate();
    caller.send({ type: "hangup" });
    await caller.untilClosed();
  });

  it("tell a watcher that the call is over, and why its socket closes", async () => {
    const { sessionId, websocketUrl } = await holder.createSession();
    const caller = await TestCaller.start(websocketUrl);
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    await holder.eventsOf(sessionId);
    await expect.poll(() => other.bus.keys.get(liveCallKey(sessionId))).toBeUndefined();
    const watcher = new WebSocket(await other.url("stream", sessionId));
    const told = new Promise((resolve) =>
      watcher.once("message", (text) => resolve(JSON.parse(String(text)))),
    );
    const [code] = await once(watcher, "close");
    expect(await told).toMatchObject({ topic: "call.ended", sessionId });
    expect(code).toBe(1000);
  });

  it("carry a command to the node that holds the call, and nobody answers for one nobody holds", async () => {
    const { sessionId, websocketUrl } = await holder.createSession();
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const send = (to: string, command: CallCommand) =>
      request(other.bus.channels, commandChannel(to), {
        payload: JSON.stringify(command),
        deadlineMs: 2_000,
        clock: systemClock,
      });
    expect(await send(sessionId, { command: "say", text: "A word from the house." })).toBe('{"ok":true}');
    expect(await caller.said("assistant")).toMatchObject({ text: "A word from the house." });
    expect(await send(sessionId, { command: "end", reason: "api_request" })).toBe('{"ok":true}');
    expect(await caller.next("ended")).toMatchObject({ reason: "api_request" });
    expect(await send("ses_nobody", { command: "end", reason: "api_request" })).toBeUndefined();
  });

  it("give one session to exactly one of two sockets that start it on both", async () => {
    const { sessionId } = await holder.createSession();
    const callers = await Promise.all(
      [holder, other].map(async (node) => TestCaller.connect(await node.url("call", sessionId))),
    );
    const outcomes = await Promise.all(
      callers.map((caller) => {
        caller.send({ type: "start" });
        return Promise.race([
          caller.next("ready").then(() => "ready"),
          caller.next("error").then(({ code }) => code),
        ]);
      }),
    );
    expect(outcomes.sort()).toEqual(["ready", "session_ended"]);
  });
});
