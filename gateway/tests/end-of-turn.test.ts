import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { TestJudge } from "../../testkit/judge.ts";
import { loudnessModel, writeOnnxModel } from "../../testkit/onnx-models.ts";
import { flite } from "../../testkit/speech.ts";

const SENTENCE = "Book a table for two people.";
/** Whoever sounds finished is answered at once, whoever does not after this. */
const ENDPOINTING = { minMs: 100, maxMs: 1_200 };

let vendor: FakeDeepgram;
let brain: TestBrain;
const started: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  const recognizer = createScriptedRecognizer([SENTENCE]);
  vendor = await startFakeDeepgram({ apiKey: "key", voice: createFliteVoice(), recognizer });
  brain = await TestBrain.saying("With pleasure.");
});
afterAll(async () => {
  brain.close();
  for (const one of started) await one.close();
  await vendor.close();
});

async function gatewayWith(env: Record<string, string>): Promise<TestGateway> {
  const speech = { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url };
  // What answers at once may still be late on a machine that is busy.
  const gateway = await TestGateway.start({ env: { ...speech, END_OF_TURN_TIMEOUT_MS: "1000", ...env } });
  started.push(gateway);
  return gateway;
}

async function callOf(gateway: TestGateway): Promise<TestCaller> {
  const { websocketUrl } = await gateway.createSession({
    brainUrl: brain.url,
    stt: [{ vendor: "deepgram" }],
    turnTaking: { endpointing: { ...ENDPOINTING, speculative: false } },
  });
  return TestCaller.start(websocketUrl, { acknowledges: true });
}

describe("an end-of-turn model of the operator's", () => {
  it("by path hears the caller: what does not sound finished to it is waited for", async () => {
    // Speech is never so loud that the mean of its samples is half of what fits: it takes nothing for finished.
    const gateway = await gatewayWith({
      END_OF_TURN_MODEL: await writeOnnxModel(loudnessModel([1, 16_000])),
    });
    const caller = await callOf(gateway);
    const speaking = caller.speak(await flite("Book a table for two people"), 2_500);
    const { endOfTurnMs } = await caller.next("metrics");
    expect(endOfTurnMs).toBeGreaterThanOrEqual(ENDPOINTING.maxMs);
    const { values } = await gateway.metrics.endOfTurnModelSeconds.get();
    expect(values.map(({ labels }) => labels.outcome)).toContain("answered");
    await speaking;
    caller.drop();
  });

  it("behind HTTP is told what both sides said before", async () => {
    const judge = await TestJudge.start(0.97);
    started.push(judge);
    const caller = await callOf(await gatewayWith({ END_OF_TURN_URL: judge.url }));
    for (const turn of [1, 2]) {
      const speaking = caller.speak(await flite("Book a table for two people"), 1_000);
      await caller.next(
        "transcript",
        (line) => line.role === "assistant" && line.final && line.turn === turn,
        20_000,
      );
      await speaking;
    }
    expect(judge.asked).toContainEqual({ text: SENTENCE, language: "en" });
    expect(judge.asked).toContainEqual({
      // On a busy machine, one sentence may be heard in two pieces.
      text: expect.stringContaining(SENTENCE),
      language: "en",
      history: [
        { role: "user", text: SENTENCE },
        { role: "assistant", text: "With pleasure." },
      ],
    });
    caller.drop();
  });

  it("that does not fit is told when the gateway starts", async () => {
    const path = await writeOnnxModel(loudnessModel([1, 3, 224, 224]));
    await expect(gatewayWith({ END_OF_TURN_MODEL: path })).rejects.toThrow(
      /END_OF_TURN_MODEL is "\S+"; its input "audio" \(float32 \[1, 3, 224, 224\]\) does not fit/,
    );
    await expect(
      gatewayWith({ END_OF_TURN_MODEL: path, END_OF_TURN_URL: "http://127.0.0.1:9" }),
    ).rejects.toThrow("END_OF_TURN_URL and END_OF_TURN_MODEL are both set");
  });
});
