import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BrainTurn, TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { TestGateway } from "../../testkit/gateway.ts";

const LINE = "One moment, Ada.";

let gateway: TestGateway;
let brain: TestBrain;
let answer: (turn: BrainTurn) => void;
beforeAll(async () => {
  gateway = await TestGateway.start();
  brain = await TestBrain.start((turn) => answer(turn));
});
afterAll(async () => {
  await gateway.close();
  brain.close();
});

describe("a caller whose brain is slow", () => {
  it("is told so once, then answered, and the line is no part of the answer", async () => {
    let turn: BrainTurn | undefined;
    answer = (asked) => {
      turn = asked;
    };
    const { sessionId, websocketUrl } = await gateway.createSession({
      brainUrl: brain.url,
      waiting: { afterMs: 100, line: LINE },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Is there a table?" });
    expect(await caller.said("assistant")).toMatchObject({ text: LINE, turn: 1 });
    const heardOfLine = caller.heard().length;
    expect(heardOfLine).toBeGreaterThan(0);
    turn?.token("There is one.");
    turn?.done();
    const { responseMs } = await caller.next("metrics");
    expect(await caller.said("assistant")).toMatchObject({ text: "There is one.", turn: 1 });
    expect(caller.heard().length).toBeGreaterThan(heardOfLine);
    // The line takes longer to say than the brain is waited for before it.
    expect(responseMs).toBeGreaterThan(500);

    answer = (asked) => {
      asked.token("Good.");
      asked.done();
    };
    caller.send({ type: "text", text: "Take it." });
    expect(await caller.said("assistant")).toMatchObject({ text: "Good.", turn: 2 });
    expect(brain.turns.at(-1)?.request.heard).toBeUndefined();
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const said = (await gateway.eventsOf(sessionId)).flatMap((event) =>
      event.type === "call.message" && event.role === "assistant" ? [[event.text, event.source]] : [],
    );
    expect(said).toEqual([
      [LINE, "agent"],
      ["There is one.", "brain"],
      ["Good.", "brain"],
    ]);
  });

  it("hears the answer as soon as it comes, and of the line no more than there was time for", async () => {
    const turns: BrainTurn[] = [];
    answer = (asked) => turns.push(asked);
    const { websocketUrl } = await gateway.createSession({
      brainUrl: brain.url,
      waiting: { afterMs: 100, line: LINE },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Is there a table?" });
    await caller.next("transcript", ({ role, text }) => role === "assistant" && text === LINE);
    turns[0]?.token("There is one.");
    turns[0]?.done();
    let said = await caller.said("assistant");
    if (said.text !== "There is one.") {
      expect(LINE.startsWith(said.text)).toBe(true);
      said = await caller.said("assistant");
    }
    expect(said).toMatchObject({ text: "There is one." });
    caller.drop();
  });

  it("may ask something else over the line, which stops", async () => {
    const turns: BrainTurn[] = [];
    answer = (asked) => turns.push(asked);
    const { websocketUrl } = await gateway.createSession({
      brainUrl: brain.url,
      waiting: { afterMs: 100, line: LINE },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Is there a table?" });
    await caller.next("transcript", ({ role, text }) => role === "assistant" && text === LINE);
    caller.send({ type: "text", text: "For two, I mean." });
    await turns[0]?.aborted;
    await caller.next("transcript", ({ role, turn, final }) => role === "user" && final && turn === 2);
    caller.drop();
  });
});
