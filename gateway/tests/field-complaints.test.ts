import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BrainTurn, TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { createFliteVoice } from "../../testkit/fakes/speech/fake-speech.ts";
import { type FakeOpenAi, startFakeOpenAi } from "../../testkit/fakes/speech/openai.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { flite } from "../../testkit/speech.ts";

/** What users of voice gateways complain about most, shown not to happen here. docs/field-complaints.md has the list. */
const LONG =
  "First of all let me tell you about our opening hours. We are open from nine to five on weekdays. On Saturdays we close at noon.";

let gateway: TestGateway;
let vendor: FakeOpenAi;
const brains: TestBrain[] = [];

beforeAll(async () => {
  vendor = await startFakeOpenAi({ voice: createFliteVoice() });
  gateway = await TestGateway.start({
    env: {
      // A recognizer that hears no words in anything: every voice is a cough to it.
      STT_COMMAND: "true",
      OPENAI_BASE_URL: `${vendor.url}/v1`,
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await vendor.close();
});
afterEach(() => {
  for (const brain of brains.splice(0)) brain.close();
  vendor.faults.clear();
});

async function call(
  answer: (turn: BrainTurn) => void,
  plan: Parameters<TestGateway["createSession"]>[0] = {},
) {
  const brain = await TestBrain.start(answer);
  brains.push(brain);
  const { websocketUrl, sessionId } = await gateway.createSession({ brainUrl: brain.url, ...plan });
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  return { brain, caller, sessionId };
}

const saying =
  (text: string) =>
  (turn: BrainTurn): void => {
    turn.token(text);
    turn.done();
  };

describe("complaint 2: a false interruption never resumes", () => {
  it("a cough makes the agent speak softly for a moment, and nothing of the answer is lost", async () => {
    const { caller, sessionId } = await call(saying(LONG), { stt: [{ vendor: "command" }] });
    caller.send({ type: "text", text: "Tell me" });
    await caller.next("metrics");
    await caller.next("mark");
    await caller.speak((await flite("ahem")).slice(0, 16_000), 400);
    expect(await caller.said("assistant")).toMatchObject({ text: LONG, turn: 1 });
    expect(caller.messages.some(({ type }) => type === "clear")).toBe(false);
    const whole = await flite(LONG);
    // Silence around clauses may be added; what was repeated after a stop would be far more.
    expect(caller.heard().length / whole.length).toBeLessThan(1.2);
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const spoken = (await gateway.eventsOf(sessionId)).filter(({ type }) => type === "call.message");
    expect(spoken.at(-1)).toMatchObject({ text: LONG, interrupted: false });
  });
});

describe("complaint 4: the agent is marked speaking but silent", () => {
  it("a brain that stalls in mid-answer gives the floor back", async () => {
    const brain = await TestBrain.start((turn) => turn.token("Let me look that up for you. "));
    brains.push(brain);
    const { websocketUrl } = await gateway.createSession({ brain: { url: brain.url, idleTimeoutMs: 300 } });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Hello" });
    await caller.next("state", ({ state }) => state === "speaking");
    await caller.next("state", ({ state }) => state === "listening");
    expect(brain.turns).toHaveLength(1);
    caller.drop();
  });

  it("the answer after an interruption is asked for at once, while the one before is aborted", async () => {
    const { brain, caller } = await call((turn) => {
      if (turn.request.turn === 2) saying("Sure.")(turn);
      else turn.token("A long story begins here, and it goes on. ");
    });
    caller.send({ type: "text", text: "Tell me a story" });
    await caller.next("state", ({ state }) => state === "speaking");
    caller.send({ type: "text", text: "Stop" });
    await brain.turns[0]?.aborted;
    expect(await caller.next("metrics", ({ turn }) => turn === 2)).toMatchObject({ endOfTurnMs: 0 });
    caller.drop();
  });
});

describe("complaint 8: a slow brain means silence", () => {
  it("a sentence that is never finished is spoken as far as it goes", async () => {
    const { caller } = await call((turn) => turn.token("One moment please while I"), {});
    caller.send({ type: "text", text: "Hello" });
    await caller.next("state", ({ state }) => state === "speaking");
    const partial = await caller.next("transcript", ({ role, final }) => role === "assistant" && !final);
    // The last word may yet go on ("It"), so it is held.
    expect(partial.text).toBe("One moment please while");
    caller.drop();
  });
});

describe("complaint 9: a fallback that ends the call", () => {
  it("a voice that dies in mid-sentence is followed by the next one, and nothing is said twice", async () => {
    vendor.faults.set({ kind: "die", afterBytes: 60_000 });
    const { caller } = await call(saying(LONG), { tts: [{ vendor: "openai" }, { vendor: "flite" }] });
    caller.send({ type: "text", text: "Tell me" });
    expect(await caller.said("assistant")).toMatchObject({ text: LONG });
    const heardSecs = caller.heard().length / 16_000;
    const whole = (await flite(LONG)).length / 16_000;
    expect(heardSecs).toBeGreaterThan(whole * 0.8);
    expect(heardSecs).toBeLessThan(whole * 1.3);
    caller.drop();
  });
});

describe("complaint 15: the first words are slow, or the call is not ended", () => {
  it("the greeting's first audio comes before the caller has said anything", async () => {
    const { caller, brain } = await call(saying("unused"), { firstResponse: "Welcome." });
    await caller.next("state", ({ state }) => state === "speaking");
    expect(brain.turns).toEqual([]);
    caller.drop();
  });
});
