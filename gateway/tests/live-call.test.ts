import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
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
    const { endOfTurnMs, brainRequestMs, brainFirstTokenMs, firstClauseMs, ttsFirstByteMs } = metrics;
    const partsMs = endOfTurnMs + brainRequestMs + brainFirstTokenMs + firstClauseMs + ttsFirstByteMs;
    // Each of the five is rounded; the frame then goes out with a tick, as soon as the machine lets it.
    expect(metrics.responseMs - partsMs).toBeGreaterThanOrEqual(-3);
    expect(await caller.said("assistant")).toMatchObject({ text: "Hello there, how can I help?", turn: 1 });
    expect(caller.heard().length).toBeGreaterThan(16_000);
    caller.send({ type: "hangup" });
    expect(await caller.next("ended")).toMatchObject({ reason: "hangup" });
    expect(await caller.untilClosed()).toMatchObject({ code: 1000 });
    expect(brain.turns[0]?.request).toMatchObject({ query: "Good morning", sessionId, turn: 1, name: "Ada" });
    expect(brain.turns[0]?.url).toBe("/brain?tenant=7&calling=true&stream=true");
    expect((await gateway.eventsOf(sessionId)).map((event) => event.type)).toEqual([
      "call.started",
      "call.message",
      "call.turn_metrics",
      "call.message",
      "call.ended",
    ]);
  });
});

describe("interrupting the agent", () => {
  const LONG =
    "First of all let me tell you about our opening hours. We are open from nine to five on weekdays. On Saturdays we close at noon.";

  it("stops the answer, tells the brain what was heard and keeps only that in the transcript", async () => {
    const brain = await TestBrain.start((turn) => {
      turn.token(turn.request.turn === 1 ? LONG : "All right.");
      turn.done();
    });
    brains.push(brain);
    const { websocketUrl, sessionId } = await gateway.createSession({ brainUrl: brain.url });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Tell me" });
    await caller.next("metrics");
    await caller.next("mark");
    caller.send({ type: "text", text: "Stop please" });
    await caller.next("clear");
    const cut = await caller.said("assistant");
    expect(LONG.startsWith(cut.text)).toBe(true);
    expect(cut.text.length).toBeLessThan(LONG.length);
    expect(await caller.said("assistant")).toMatchObject({ text: "All right.", turn: 2 });
    expect(brain.turns[1]?.request.heard).toMatchObject({ turn: 1, text: cut.text });
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const spoken = (await gateway.eventsOf(sessionId)).filter((event) => event.type === "call.message");
    expect(spoken.map(({ text, interrupted }) => [text, interrupted])).toEqual([
      ["Tell me", false],
      [cut.text, true],
      ["Stop please", false],
      ["All right.", false],
    ]);
  });

  it("aborts a brain that is still thinking", async () => {
    const brain = await TestBrain.start((turn) => {
      if (turn.request.turn === 1) return;
      turn.token("Yes.");
      turn.done();
    });
    brains.push(brain);
    const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
    const caller = await TestCaller.start(websocketUrl);
    caller.send({ type: "text", text: "Hello" });
    await caller.next("state", ({ state }) => state === "thinking");
    await expect.poll(() => brain.turns.length).toBe(1);
    caller.send({ type: "text", text: "Are you there?" });
    await brain.turns[0]?.aborted;
    expect(await caller.said("assistant")).toMatchObject({ text: "Yes.", turn: 2 });
    expect(brain.turns[1]?.request.heard).toEqual({ turn: 1, text: "", interruptedAtMs: 0 });
    caller.drop();
  });
});

describe("the first response", () => {
  it("is spoken at once, without asking the brain", async () => {
    const brain = await brainSaying("unused");
    const { websocketUrl } = await gateway.createSession({
      brainUrl: brain.url,
      firstResponse: "Hello Ada, how can I help?",
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    expect(await caller.said("assistant")).toMatchObject({ text: "Hello Ada, how can I help?", turn: 0 });
    expect(brain.turns).toEqual([]);
    caller.drop();
  });

  it.each([
    ["can", true],
    ["cannot", false],
  ])(
    "%s be talked over, as the agent's owner wants it",
    async (_, isInterruptible) => {
      const OPENER = "Hello Ada. This call is recorded, so that we can learn from it.";
      const brain = await brainSaying("All right.");
      const { websocketUrl } = await gateway.createSession({
        brainUrl: brain.url,
        firstResponse: OPENER,
        turnTaking: { firstResponseInterruptible: isInterruptible },
      });
      const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
      await caller.next("state", ({ state }) => state === "speaking");
      caller.send({ type: "text", text: "Stop please" });
      await caller.next("transcript", ({ text, final }) => final && text === "All right.");
      const wasCleared = caller.messages.some(({ type }) => type === "clear");
      const wasWhole = caller.messages.some(
        (one) => one.type === "transcript" && one.text === OPENER && one.final,
      );
      expect({ wasCleared, wasWhole }).toEqual({ wasCleared: isInterruptible, wasWhole: !isInterruptible });
      caller.drop();
    },
    15_000,
  );
});

describe("a brain that fails", () => {
  it("is tried once more, then the fallback line is spoken and the call goes on", async () => {
    const brain = await TestBrain.start((turn) => {
      if (turn.request.turn === 1) {
        turn.res.writeHead(500).end();
        return;
      }
      turn.token("Back again.");
      turn.done();
    });
    brains.push(brain);
    const { websocketUrl } = await gateway.createSession({
      brain: { url: brain.url, fallbackLine: "One moment, please." },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Hello" });
    expect(await caller.next("error")).toMatchObject({ code: "brain_failed", fatal: false });
    expect(await caller.said("assistant")).toMatchObject({ text: "One moment, please." });
    expect(brain.queries).toEqual(["Hello", "Hello"]);
    caller.send({ type: "text", text: "Hello?" });
    expect(await caller.said("assistant")).toMatchObject({ text: "Back again." });
    caller.drop();
  });
});

describe("a brain that answers with nothing", () => {
  const emptyAnswers = async (): Promise<number> =>
    (await gateway.metrics.brainErrorsTotal.get()).values.find(({ labels }) => labels.cause === "empty")
      ?.value ?? 0;

  it("is not asked again, its caller hears the fallback line, and the reason is counted", async () => {
    const brain = await TestBrain.start((turn) => turn.done());
    brains.push(brain);
    const before = await emptyAnswers();
    const { websocketUrl } = await gateway.createSession({
      brain: { url: brain.url, fallbackLine: "Pardon?" },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Hello" });
    expect(await caller.next("error")).toMatchObject({ code: "brain_failed", fatal: false });
    expect(await caller.said("assistant")).toMatchObject({ text: "Pardon?" });
    expect(caller.heard().length).toBeGreaterThan(0);
    expect(brain.queries).toEqual(["Hello"]);
    expect(await emptyAnswers()).toBe(before + 1);
    caller.drop();
  });

  it("on purpose says so with a control event, and is left in peace", async () => {
    const before = await emptyAnswers();
    const brain = await TestBrain.start((turn) => {
      if (turn.request.turn === 1) turn.control({ event: "listen", expect: "digits" });
      else turn.token("Thank you.");
      turn.done();
    });
    brains.push(brain);
    const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "It is 555" });
    await caller.next("state", ({ state }) => state === "listening");
    caller.send({ type: "text", text: "0123" });
    expect(await caller.said("assistant")).toMatchObject({ text: "Thank you.", turn: 2 });
    expect(await emptyAnswers()).toBe(before);
    caller.drop();
  });
});

describe("ending the call", () => {
  it("says the brain's farewell to its end before it hangs up", async () => {
    const brain = await TestBrain.start((turn) => {
      turn.control({ event: "call_end", farewell: "Goodbye and thank you." });
      turn.done();
    });
    brains.push(brain);
    const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Bye" });
    expect(await caller.said("assistant")).toMatchObject({ text: "Goodbye and thank you." });
    expect(await caller.next("ended")).toMatchObject({ reason: "agent_end_call" });
    expect(await caller.untilClosed()).toMatchObject({ code: 1000 });
  });

  it("prompts a silent caller, then hangs up", async () => {
    const { websocketUrl } = await gateway.createSession({
      silence: { promptAfterMs: 200, prompts: ["Still there?"], hangupAfterMs: 300 },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    expect(await caller.said("assistant")).toMatchObject({ text: "Still there?" });
    expect(await caller.next("ended")).toMatchObject({ reason: "silence_hangup" });
  });

  it("starts prompting over when the caller has typed, however quick the brain is", async () => {
    const brain = await brainSaying("Yes.");
    const { websocketUrl } = await gateway.createSession({
      brainUrl: brain.url,
      silence: { promptAfterMs: 250, prompts: ["One?", "Two?"], hangupAfterMs: 60_000 },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    expect(await caller.said("assistant")).toMatchObject({ text: "One?" });
    caller.send({ type: "text", text: "Hello" });
    expect(await caller.said("assistant")).toMatchObject({ text: "Yes." });
    expect(await caller.said("assistant")).toMatchObject({ text: "One?" });
    caller.send({ type: "dtmf", digit: "#" });
    expect(await caller.said("assistant")).toMatchObject({ text: "Yes." });
    expect(await caller.said("assistant")).toMatchObject({ text: "One?" });
    expect(await caller.said("assistant")).toMatchObject({ text: "Two?" });
    caller.drop();
  });

  it("comes at the longest duration the agent allows", async () => {
    const { websocketUrl } = await gateway.createSession({ maxDurationMs: 1_000 });
    const caller = await TestCaller.start(websocketUrl);
    expect(await caller.next("ended")).toMatchObject({ reason: "max_duration" });
  });
});

describe("a dropped socket", () => {
  it("leaves the call up, and its resume token takes it over", async () => {
    const brain = await brainSaying("I am still here.");
    const { websocketUrl, sessionId } = await gateway.createSession({ brainUrl: brain.url });
    const first = await TestCaller.start(websocketUrl);
    const { resume } = first.messages.find((message) => message.type === "ready") ?? { resume: "" };
    first.drop();
    const second = await TestCaller.start(websocketUrl, { resume, acknowledges: true });
    second.send({ type: "text", text: "Hello?" });
    expect(await second.said("assistant")).toMatchObject({ text: "I am still here." });
    second.send({ type: "hangup" });
    await second.untilClosed();
    const types = (await gateway.eventsOf(sessionId)).map((event) => event.type);
    expect(types.filter((type) => type === "call.started" || type === "call.ended")).toEqual([
      "call.started",
      "call.ended",
    ]);
  });

  it("is closed with 4003 when another socket takes the call over", async () => {
    const { websocketUrl } = await gateway.createSession();
    const first = await TestCaller.start(websocketUrl);
    const { resume } = first.messages.find((message) => message.type === "ready") ?? { resume: "" };
    await TestCaller.start(websocketUrl, { resume });
    expect(await first.untilClosed()).toMatchObject({ code: 4003 });
  });

  it("cannot be taken over without the token", async () => {
    const { websocketUrl } = await gateway.createSession();
    await TestCaller.start(websocketUrl);
    const thief = await TestCaller.connect(websocketUrl);
    thief.send({ type: "start", resume: "guess" });
    expect(await thief.next("error")).toMatchObject({ code: "resume_invalid", fatal: true });
    await thief.untilClosed();
  });
});
