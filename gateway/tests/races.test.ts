import { request } from "@parley/shared/bus/request-reply.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BrainTurn, TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { TestGateway } from "../../testkit/gateway.ts";

let gateway: TestGateway;
const brains: TestBrain[] = [];

beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.close());
afterEach(() => {
  for (const brain of brains.splice(0)) brain.close();
});

async function sessionWith(answer: (turn: BrainTurn) => void) {
  const brain = await TestBrain.start(answer);
  brains.push(brain);
  return { brain, ...(await gateway.createSession({ brainUrl: brain.url })) };
}

const LONG = "This is a long answer that goes on for a while, so that there is something to talk over. ";

const echo = (turn: BrainTurn): void => {
  turn.token(turn.request.query === "go" ? LONG : `You said ${turn.request.query}.`);
  turn.done();
};

describe("races", () => {
  it("twenty typed turns in one burst over a speaking agent are all kept, and the last is answered", async () => {
    const { websocketUrl, sessionId, brain } = await sessionWith(echo);
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "go" });
    await caller.next("state", ({ state }) => state === "speaking");
    for (let i = 1; i <= 20; i++) caller.send({ type: "text", text: `number ${i}` });
    expect(
      await caller.next(
        "transcript",
        ({ role, final, text }) => role === "assistant" && final && text.includes("number"),
      ),
    ).toMatchObject({
      text: "You said number 20.",
      turn: 21,
    });
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const messages = (await gateway.eventsOf(sessionId)).flatMap((event) =>
      event.type === "call.message" ? [event] : [],
    );
    const typed = messages.filter(({ role }) => role === "user").map(({ text }) => text);
    expect(typed).toEqual(["go", ...Array.from({ length: 20 }, (_, i) => `number ${i + 1}`)]);
    const answered = brain.turns.at(-1)?.request;
    expect(answered).toMatchObject({ query: "number 20", turn: 21 });
    expect(LONG.startsWith(answered?.heard?.text ?? "?")).toBe(true);
  });

  it("of fifty sockets that start one session at once exactly one gets the call", async () => {
    const { websocketUrl } = await gateway.createSession();
    const callers = await Promise.all(Array.from({ length: 50 }, () => TestCaller.connect(websocketUrl)));
    for (const caller of callers) caller.send({ type: "start" });
    const outcomes = await Promise.all(
      callers.map((caller) =>
        Promise.race([caller.next("ready").then(() => "ready"), caller.untilClosed().then(() => "closed")]),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "ready")).toHaveLength(1);
    for (const caller of callers) caller.drop();
  });

  it("of twenty sockets that resume one call at once the last keeps it and the others are told", async () => {
    const { websocketUrl } = await sessionWith(echo);
    const first = await TestCaller.start(websocketUrl);
    const { resume } = first.messages.find((message) => message.type === "ready") ?? { resume: "" };
    const callers = await Promise.all(
      Array.from({ length: 20 }, () => TestCaller.start(websocketUrl, { resume, acknowledges: true })),
    );
    const all = [first, ...callers];
    await expect.poll(() => all.filter(({ closed }) => closed?.code === 4003).length).toBe(20);
    const last = all.find(({ closed }) => closed === undefined);
    last?.send({ type: "text", text: "still here" });
    expect(await last?.said("assistant")).toMatchObject({ text: "You said still here." });
    last?.drop();
  });

  it("a hang-up, a DELETE and a dropped socket at the same moment end the call once", async () => {
    const { websocketUrl, sessionId } = await sessionWith(echo);
    const caller = await TestCaller.start(websocketUrl);
    caller.send({ type: "text", text: "go" });
    await caller.next("state", ({ state }) => state === "speaking");
    const question = {
      payload: '{"command":"end","reason":"api_request"}',
      deadlineMs: 200,
      clock: systemClock,
    };
    const ended = Promise.all(
      [1, 2, 3].map(() => request(gateway.bus.channels, commandChannel(sessionId), question)),
    );
    caller.send({ type: "hangup" });
    caller.drop();
    await ended;
    const events = await gateway.eventsOf(sessionId);
    expect(events.filter(({ type }) => type === "call.ended")).toHaveLength(1);
    expect(new Set(events.map(({ seq }) => seq)).size).toBe(events.length);
  });

  it("a brain that sends a thousand control events between two words is still heard", async () => {
    const { websocketUrl } = await sessionWith((turn) => {
      turn.token("Before ");
      for (let i = 0; i < 500; i++) {
        turn.control({ event: "node_entered", node: `n${i}` });
        turn.control({ event: "listen", endpointingMs: 15_000 });
      }
      turn.token("after.");
      turn.done();
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "hello" });
    expect(await caller.said("assistant")).toMatchObject({ text: "Before after." });
    caller.drop();
  });

  it.each([
    ["only white space", [" ", "\n\n", "\t"], undefined],
    ["only an emoji", ["👋"], undefined],
    ["one word without an end", ["a".repeat(3_000)], undefined],
    ["nothing at all", [], undefined],
  ])("an answer of %s gives the floor back", async (_what, tokens) => {
    const { websocketUrl } = await sessionWith((turn) => {
      for (const token of turn.request.turn === 1 ? tokens : ["Fine."]) turn.token(token);
      turn.done();
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "hello" });
    await caller.next("state", ({ state }) => state === "thinking");
    caller.send({ type: "text", text: "and now?" });
    expect(
      await caller.next(
        "transcript",
        ({ role, final, text }) => role === "assistant" && final && text === "Fine.",
      ),
    ).toBeDefined();
    caller.drop();
  });

  it("two farewells end the call once", async () => {
    const { websocketUrl } = await sessionWith((turn) => {
      turn.control({ event: "call_end", farewell: "Bye." });
      turn.control({ event: "call_end", farewell: "Bye again." });
      turn.done();
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "bye" });
    expect(await caller.next("ended")).toMatchObject({ reason: "agent_end_call" });
    expect(caller.messages.filter(({ type }) => type === "ended")).toHaveLength(1);
  });
});
