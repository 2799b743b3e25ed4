import { msToSamples, PCM_RATE_HZ, samplesToMs } from "@parley/media/pcm.ts";
import { expect, it, onTestFinished } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { startFakeOpenAi } from "../../testkit/fakes/speech/openai.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { keysIn } from "../../testkit/softphones.ts";

const ANSWER = "We are open from nine to five on weekdays and on Saturdays we close at noon as always.";

it("keys are played once, whole, while a menu talks on", async () => {
  const gateway = await TestGateway.start();
  onTestFinished(() => gateway.close());
  const brain = await TestBrain.start((turn) => {
    if (turn.request.turn === 1) turn.control({ event: "dtmf", digits: "1234#" });
    turn.done();
  });
  onTestFinished(() => brain.close());
  const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  onTestFinished(() => caller.drop());
  caller.send({ type: "text", text: "For sales, press one two three four and pound." });
  await caller.next("dtmf");
  caller.send({ type: "text", text: "For support, press two." });
  await expect.poll(() => brain.queries.length, { timeout: 90_000 }).toBe(2);
  expect(keysIn(caller.heard())).toBe("1234#");
});

it("an answer whose last voice dies is what was heard of it, and its brain is told", async () => {
  const tone = (text: string): Promise<Int16Array> =>
    Promise.resolve(
      new Int16Array(msToSamples(text.length * 65)).map(
        (_, at) => 8_000 * Math.sin((2 * Math.PI * 1_000 * at) / PCM_RATE_HZ),
      ),
    );
  const vendor = await startFakeOpenAi({ voice: tone, style: "plain" });
  const gateway = await TestGateway.start({
    env: { OPENAI_BASE_URL: vendor.url, OPENAI_API_KEY: "sk-test" },
  });
  onTestFinished(() => gateway.close());
  const brain = await TestBrain.saying(ANSWER);
  onTestFinished(() => brain.close());
  const { websocketUrl, sessionId } = await gateway.createSession({
    brainUrl: brain.url,
    tts: [{ vendor: "openai" }],
  });
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  vendor.faults.set({ kind: "drip", chunkBytes: 4_800, everyMs: 80 });
  caller.send({ type: "text", text: "When are you open?" });
  await expect.poll(() => samplesToMs(caller.heard().length)).toBeGreaterThan(1_200);
  await vendor.close();
  await caller.next("error", ({ code }) => code === "speech_failed");
  const cut = await caller.said("assistant");
  expect(ANSWER.startsWith(cut.text)).toBe(true);
  expect(cut.text.length).toBeGreaterThan(0);
  expect(cut.text.length).toBeLessThan(ANSWER.length);
  caller.send({ type: "text", text: "Hello?" });
  await expect.poll(() => brain.turns.length, { timeout: 90_000 }).toBe(2);
  expect(brain.turns[1]?.request.heard).toMatchObject({ turn: 1, text: cut.text });
  caller.send({ type: "hangup" });
  await caller.untilClosed();
  const said = (await gateway.eventsOf(sessionId)).filter((event) => event.type === "call.message");
  expect(said[1]).toMatchObject({ role: "assistant", text: cut.text, interrupted: true });
});
