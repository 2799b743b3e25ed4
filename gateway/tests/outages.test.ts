import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { newPhoneIds } from "../../testkit/fakes/phones/by-carrier.ts";
import { FakePhone } from "../../testkit/fakes/phones/phone.ts";
import { createTwilioDialect } from "../../testkit/fakes/phones/twilio.ts";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import type { PlanInput } from "../../testkit/session-plan.ts";

const HEARING_LINE = "I can't hear you.";
const REFUSED = { kind: "status", status: 401 } as const;

let gateway: TestGateway;
let vendor: FakeDeepgram;
let brain: TestBrain;
beforeAll(async () => {
  vendor = await startFakeDeepgram({
    apiKey: "key",
    voice: createFliteVoice(),
    recognizer: createScriptedRecognizer(["Hello."]),
  });
  gateway = await TestGateway.start({ env: { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url } });
  brain = await TestBrain.saying("With pleasure.");
});
afterEach(() => vendor.faults.clear());
afterAll(async () => {
  brain.close();
  await gateway.close();
  await vendor.close();
});

async function phones(plan: PlanInput): Promise<{ phone: FakePhone; sessionId: string }> {
  const { sessionId } = await gateway.createSession({ brainUrl: brain.url, ...plan });
  const url = await gateway.mediaUrl("twilio", sessionId);
  return { phone: await FakePhone.connect(url, createTwilioDialect(newPhoneIds())), sessionId };
}

async function browses(plan: PlanInput): Promise<{ caller: TestCaller; sessionId: string }> {
  const { sessionId, websocketUrl } = await gateway.createSession({ brainUrl: brain.url, ...plan });
  return { caller: await TestCaller.start(websocketUrl, { acknowledges: true }), sessionId };
}

async function lost(kind: "stt" | "tts"): Promise<number> {
  const { values } = await gateway.metrics.speechLostTotal.get();
  return values.find(({ labels }) => labels.kind === kind)?.value ?? 0;
}

describe("a call whose last recognizer is dead", () => {
  const outage = { hearingLine: HEARING_LINE, hangupAfterMs: 200 };
  const deaf: PlanInput = { stt: [{ vendor: "deepgram" }], outage };

  it("tells a phone's caller so, aloud, and ends with a reason", async () => {
    vendor.faults.set(REFUSED);
    const before = await lost("stt");
    const { phone, sessionId } = await phones({ ...deaf, outage: { ...outage, hangupAfterMs: 10_000 } });
    await expect.poll(() => phone.playedMarks.length).toBe(1);
    expect(phone.heard.length).toBeGreaterThan(0);
    expect(await lost("stt")).toBe(before + 1);
    phone.hangUp();
    const said = (await gateway.eventsOf(sessionId)).filter(({ type }) => type === "call.message");
    expect(said).toMatchObject([{ role: "assistant", text: HEARING_LINE, source: "agent" }]);

    const quick = await phones(deaf);
    expect(await quick.phone.untilClosed()).toEqual({ code: 1000 });
    const events = await gateway.eventsOf(quick.sessionId);
    expect(events.at(-1)).toMatchObject({ type: "call.ended", reason: "internal_error", status: "failed" });
  });

  it("goes on for who can type, and tells the brain what was said", async () => {
    vendor.faults.set(REFUSED);
    const { caller } = await browses(deaf);
    expect(await caller.next("error")).toMatchObject({ code: "speech_failed", fatal: false });
    expect(await caller.said("assistant")).toMatchObject({ text: HEARING_LINE });
    caller.send({ type: "text", text: "Can you read me?" });
    expect(await caller.said("assistant")).toMatchObject({ text: "With pleasure." });
    caller.drop();
  });
});

describe("a call whose last voice is dead", () => {
  const mute: PlanInput = { tts: [{ vendor: "deepgram" }] };

  it("ends with a reason when a phone's caller had two answers that nobody could speak", async () => {
    vendor.faults.set(REFUSED);
    const before = await lost("tts");
    const { phone, sessionId } = await phones(mute);
    phone.press("1#");
    await expect.poll(() => lost("tts")).toBe(before + 1);
    phone.press("2#");
    expect(await phone.untilClosed()).toEqual({ code: 1000 });
    const events = await gateway.eventsOf(sessionId);
    expect(events.at(-1)).toMatchObject({ type: "call.ended", reason: "internal_error" });
  });

  it("goes on in a browser, where the answers are read", async () => {
    vendor.faults.set(REFUSED);
    const { caller } = await browses(mute);
    for (const text of ["One.", "Two.", "Three."]) {
      caller.send({ type: "text", text });
      await caller.next("error", ({ code }) => code === "speech_failed");
    }
    const read = caller.messages.filter(
      (message) => message.type === "transcript" && message.text === "With pleasure.",
    );
    expect(read).toHaveLength(3);
    caller.drop();
  });
});

describe("a brain that hangs", () => {
  const FALLBACK = "Sorry?";
  const hanging = async (first = ""): Promise<TestBrain> =>
    TestBrain.start((turn) => {
      if (first !== "") turn.token(first);
    });

  it("leaves no silence longer than the agent's owner wants, and how long it was is measured", async () => {
    const hung = await hanging();
    const { caller } = await browses({
      brain: { url: hung.url, firstTokenTimeoutMs: 1_500, fallbackLine: FALLBACK },
      waiting: { afterMs: 100, line: "One moment.", againAfterMs: 900, againLine: "Still here." },
    });
    caller.send({ type: "text", text: "Is there a table?" });
    const said: string[] = [];
    while (said.at(-1) !== FALLBACK) said.push((await caller.said("assistant")).text);
    expect(said.slice(0, 2)).toEqual(["One moment.", "Still here."]);
    const [silentSecs, responseSecs] = await Promise.all(
      [gateway.metrics.deadAirSeconds, gateway.metrics.responseSeconds].map(lastSum),
    );
    // Both lines were heard while the caller waited.
    expect(silentSecs).toBeGreaterThan(0);
    expect(silentSecs).toBeLessThan(responseSecs ?? 0);
    hung.close();
    caller.drop();
  });

  it("inside a sentence is told, too", async () => {
    const hung = await hanging("I can help you with that because we have ");
    const { caller } = await browses({
      brain: { url: hung.url, idleTimeoutMs: 500, clauseFlushMs: 50, fallbackLine: FALLBACK },
    });
    caller.send({ type: "text", text: "Is there a table?" });
    const { text } = await caller.said("assistant");
    expect(text).toBe(`I can help you with that because we have ${FALLBACK}`);
    hung.close();
    caller.drop();
  });
});

async function lastSum(histogram: {
  get(): Promise<{ values: { metricName?: string; value: number }[] }>;
}): Promise<number> {
  const { values } = await histogram.get();
  return values.find(({ metricName }) => metricName?.endsWith("_sum"))?.value ?? 0;
}
