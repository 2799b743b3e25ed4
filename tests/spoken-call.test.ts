// Real time: a caller speaks, is talked over, and a recognizer hears both as it comes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../testkit/brain.ts";
import { TestCaller } from "../testkit/caller.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { needs } from "../testkit/needs.ts";
import { POCKETSPHINX, recognize, wordsFound } from "../testkit/recognizer.ts";
import { flite } from "../testkit/speech.ts";

const SENTENCE = "I would like to book a table for two people tomorrow evening";
const ANSWER =
  "Good evening. Your table for two people is booked for tomorrow. We are looking forward to seeing you.";

describe.runIf(needs("pocketsphinx"))("a spoken call", () => {
  let gateway: TestGateway;
  let brain: TestBrain;

  beforeAll(async () => {
    gateway = await TestGateway.start({ env: { STT_COMMAND: POCKETSPHINX } });
    brain = await TestBrain.start((turn) => {
      const isFirst = turn.request.turn === 1;
      for (const word of (isFirst ? ANSWER : "Of course.").split(/(?<= )/)) turn.token(word);
      turn.done();
    });
  });
  afterAll(async () => {
    brain.close();
    await gateway.close();
  });

  it("carries a sentence to the brain and its answer back, and stops when it is talked over", async () => {
    const { websocketUrl, sessionId } = await gateway.createSession({
      brainUrl: brain.url,
      stt: [{ vendor: "command" }],
      recording: true,
      // This recognizer takes seconds on a busy machine; the answer waits for its words.
      turnTaking: { bargeIn: { falseAlarmMs: 10_000 } },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    await caller.speak(await flite(SENTENCE), 800);
    const asked = await caller.said("user");
    expect(wordsFound(SENTENCE, asked.text)).toBeGreaterThanOrEqual(0.7);
    const metrics = await caller.next("metrics");
    expect(brain.queries).toEqual([asked.text]);
    expect(metrics.endOfTurnMs).toBeGreaterThan(0);
    expect(metrics.responseMs).toBeGreaterThanOrEqual(metrics.endOfTurnMs);

    const marksBefore = await caller.next("mark");
    expect(marksBefore.name).not.toBe("");
    await caller.speak(await flite("Stop please, I have another question for you"), 800);
    await caller.next("clear");
    const cut = await caller.said("assistant");
    expect(ANSWER.startsWith(cut.text)).toBe(true);
    expect(cut.text.length).toBeLessThan(ANSWER.length);
    expect(await caller.said("assistant")).toMatchObject({ text: "Of course.", turn: 2 });
    expect(brain.turns.at(-1)?.request.heard?.text).toBe(cut.text);
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const events = await gateway.eventsOf(sessionId);
    expect(events.filter((event) => event.type === "recording.ready")).toHaveLength(1);
    const said = events.flatMap((event) =>
      event.type === "call.message" && event.role === "assistant" ? [event.text] : [],
    );
    expect(said).toEqual([cut.text, "Of course."]);
    const floor = events.flatMap((event) => ("floor" in event && event.floor) || []);
    const made = floor.flatMap(({ turn, decisions }) => decisions.map((one) => ({ turn, ...one })));
    expect(made).toContainEqual(
      expect.objectContaining({ turn: 1, decision: "interrupt", words: expect.any(Number) }),
    );
    const ends = made.filter(({ decision }) => decision === "end_turn");
    expect(ends.map(({ turn }) => turn)).toEqual([1, 2]);
    // The turn's end is told with the very silence that its delays are counted with.
    expect(ends[0]?.afterMs).toBe(metrics.endOfTurnMs);
  });

  it("answers in words the same recognizer understands", async () => {
    const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Hello" });
    await caller.said("assistant");
    expect(wordsFound(ANSWER, await recognize(caller.heard()))).toBeGreaterThanOrEqual(0.6);
    caller.drop();
  });
});
