import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../tests/support/brain.ts";
import { TestCaller } from "../tests/support/caller.ts";
import { TestGateway } from "../tests/support/gateway.ts";

let gateway: TestGateway;
const brains: TestBrain[] = [];

beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.close());
afterEach(() => {
  for (const brain of brains.splice(0)) brain.close();
});

async function brainSaying(...tokens: string[]): Promise<TestBrain> {
  const brain = await TestBrain.saying(...tokens);
  brains.push(brain);
  return brain;
}

describe("a typed turn", () => {
  it("reaches the brain and comes back as speech, transcript and metrics", async () => {
    const brain = await brainSaying("Hello ", "there, ", "how can I help?");
    const { websocketUrl, sessionId } = await gateway.createSession({
      brainUrl: brain.url,
      variables: { name: "Ada" },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Good morning" });
    expect(await caller.said("user")).toMatchObject({ text: "Good morning", turn: 1 });
    const metrics = await caller.next("metrics");
    expect(metrics).toMatchObject({ turn: 1, endOfTurnMs: 0 });
    expect(metrics.responseMs).toBeGreaterThan(0);
    expect(await caller.said("assistant")).toMatchObject({ text: "Hello there, how can I help?", turn: 1 });
    expect(caller.heard().length).toBeGreaterThan(16_000);
    caller.send({ type: "hangup" });
    expect(await caller.next("ended")).toMatchObject({ reason: "hangup" });
    expect(await caller.untilClosed()).toMatchObject({ code: 1000 });
    expect(brain.turns[0]?.request).toMatchObject({ query: "Good morning", sessionId, turn: 1, name: "Ada" });
    expect(brain.turns[0]?.url).toBe("/brain?tenant=7&calling=true&stream=true");
    expect((await gateway.events(sessionId)).map((event) => event.type)).toEqual([
      "call.started",
      "call.message",
      "call.turn_metrics",
      "call.message",
      "call.ended",
    ]);
  });
});
