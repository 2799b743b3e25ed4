import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { createCommandStt } from "@parley/media/stt/command.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "./support/brain.ts";
import { TestCaller } from "./support/caller.ts";
import { TestGateway } from "./support/gateway.ts";
import { needs } from "./support/needs.ts";
import { flite } from "./support/speech.ts";

const POCKETSPHINX = "pocketsphinx_continuous -infile {wav} -logfn /dev/null";
const SENTENCE = "I would like to book a table for two people tomorrow evening";
const ANSWER =
  "Good evening. Your table for two people is booked for tomorrow. We are looking forward to seeing you.";

/** The share of `expected`'s words that are among `heard`'s. */
function wordsFound(expected: string, heard: string): number {
  const words = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];
  const found = new Set(words(heard));
  const wanted = words(expected);
  return wanted.filter((word) => found.has(word)).length / wanted.length;
}

/** What the recogniser makes of speech, all at once. */
async function recognise(samples: Int16Array): Promise<string> {
  const vendor = createCommandStt({ commandLine: POCKETSPHINX });
  return new Promise((resolve, reject) => {
    const session = vendor.open({
      language: "en",
      onEvent: (event) => {
        if (event.type === "final") resolve(event.text);
        if (event.type === "failed") reject(event.error);
      },
    });
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES)
      session.write(samples.slice(at, at + FRAME_SAMPLES));
    session.finalize();
  });
}

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
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    await caller.speak(await flite(SENTENCE), 800);
    const asked = await caller.said("user", 20_000);
    expect(wordsFound(SENTENCE, asked.text)).toBeGreaterThanOrEqual(0.7);
    const metrics = await caller.next("metrics");
    expect(brain.queries).toEqual([asked.text]);
    expect(metrics.endOfTurnMs).toBeGreaterThan(0);
    expect(metrics.responseMs).toBeGreaterThanOrEqual(metrics.endOfTurnMs);

    const marksBefore = await caller.next("mark");
    expect(marksBefore.name).not.toBe("");
    await caller.speak(await flite("Stop please, I have another question for you"), 800);
    await caller.next("clear");
    const cut = await caller.said("assistant", 20_000);
    expect(ANSWER.startsWith(cut.text)).toBe(true);
    expect(cut.text.length).toBeLessThan(ANSWER.length);
    expect(await caller.said("assistant", 20_000)).toMatchObject({ text: "Of course.", turn: 2 });
    expect(brain.turns.at(-1)?.request.heard?.text).toBe(cut.text);
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const events = await gateway.eventsOf(sessionId);
    expect(events.filter((event) => event.type === "recording.ready")).toHaveLength(1);
    const said = events.flatMap((event) =>
      event.type === "call.message" && event.role === "assistant" ? [event.text] : [],
    );
    expect(said).toEqual([cut.text, "Of course."]);
  });

  it("answers in words the same recogniser understands", async () => {
    const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Hello" });
    await caller.said("assistant", 20_000);
    expect(wordsFound(ANSWER, await recognise(caller.heard()))).toBeGreaterThanOrEqual(0.6);
    caller.drop();
  });
});
