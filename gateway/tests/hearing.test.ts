import { generateDtmf } from "@parley/media/dtmf/generator.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { TestJudge } from "../../testkit/judge.ts";
import { flite } from "../../testkit/speech.ts";

let gateway: TestGateway;
let vendor: FakeDeepgram;
let brain: TestBrain;
let judge: TestJudge;

beforeAll(async () => {
  vendor = await startFakeDeepgram({
    apiKey: "key",
    voice: createFliteVoice(),
    recognizer: createScriptedRecognizer(["Book a table for two people."]),
  });
  judge = await TestJudge.start(0.97);
  const env = { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url, END_OF_TURN_URL: judge.url };
  // What answers at once may still be late on a machine that is busy.
  gateway = await TestGateway.start({ env: { ...env, END_OF_TURN_TIMEOUT_MS: "1000" } });
  brain = await TestBrain.saying("With pleasure.");
});
afterAll(async () => {
  brain.close();
  await gateway.close();
  await judge.close();
  await vendor.close();
});

describe("a streaming recognizer", () => {
  it("gives text while the caller speaks, and the brain is asked before the turn is certainly over", async () => {
    const { websocketUrl, sessionId } = await gateway.createSession({
      brainUrl: brain.url,
      stt: [{ vendor: "deepgram" }],
      // A patient agent: there is time to ask ahead.
      turnTaking: { endpointing: { minMs: 1_200, maxMs: 2_000 } },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const speaking = caller.speak(await flite("Book a table for two people"), 2_000);
    const partial = await caller.next("transcript", ({ role, final }) => role === "user" && !final);
    expect("Book a table for two people.".startsWith(partial.text)).toBe(true);
    expect(await caller.said("user")).toMatchObject({ text: "Book a table for two people.", turn: 1 });
    expect(await caller.said("assistant")).toMatchObject({ text: "With pleasure.", turn: 1 });
    await speaking;
    expect(brain.queries).toEqual(["Book a table for two people."]);
    const adopted = (await gateway.metrics.speculationsTotal.get()).values.find(
      ({ labels }) => labels.outcome === "adopted",
    );
    expect(adopted?.value).toBe(1);
    expect(judge.asked).toContainEqual({ text: "Book a table for two people.", language: "en" });
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const told = (await gateway.eventsOf(sessionId)).find(({ type }) => type === "call.turn_metrics");
    expect(told).toMatchObject({
      floor: [{ turn: 1, decisions: [{ decision: "end_turn", reason: "model_complete", words: 6 }] }],
    });
    const [ended] = (told?.type === "call.turn_metrics" && told.floor?.[0]?.decisions) || [];
    expect(ended?.afterMs).toBeGreaterThanOrEqual(1_200);
  });

  it("that drops in the middle of the call is followed by the next one", async () => {
    vendor.faults.set({ kind: "die", afterBytes: 8_000 }, 1);
    // Half the sentence would be its whole turn.
    judge.answer = { status: 503 };
    const { websocketUrl } = await gateway.createSession({
      brainUrl: brain.url,
      stt: [{ vendor: "deepgram" }],
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const speaking = caller.speak(await flite("Book a table for two people"), 4_000);
    expect(await caller.said("user")).toMatchObject({ text: "Book a table for two people." });
    await speaking;
    caller.drop();
  });
});

describe("keys in the audio", () => {
  it("are heard as presses, recorded, and given to the brain as an entry", async () => {
    const { websocketUrl, sessionId } = await gateway.createSession({ brainUrl: brain.url });
    const caller = await TestCaller.start(websocketUrl, {
      acknowledges: true,
      audio: { encoding: "pcm_s16le", sampleRate: 16_000 },
    });
    await caller.speak(generateDtmf("42#"), 400);
    expect(await caller.said("user")).toMatchObject({ text: "DTMF: 42#" });
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const digits = (await gateway.eventsOf(sessionId)).flatMap((event) =>
      event.type === "call.dtmf" ? [event.digit] : [],
    );
    expect(digits).toEqual(["4", "2", "#"]);
  });
});
