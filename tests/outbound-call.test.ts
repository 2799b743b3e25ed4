import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type FakeDeepgram, startFakeDeepgram } from "../testkit/fakes/speech/deepgram.ts";
import { createFliteVoice, createScriptedRecognizer } from "../testkit/fakes/speech/fake-speech.ts";
import { FOUND, likeness } from "../testkit/likeness.ts";
import { TestReceiver } from "../testkit/receiver.ts";
import { STAY } from "../testkit/softphones.ts";
import { flite } from "../testkit/speech.ts";
import { OUR_NUMBER, TestTelephony } from "../testkit/telephony.ts";

const OPENER = "Hello Ada.";
const QUESTION = "When will my washing machine be delivered?";
const ANSWER = "It comes on Thursday afternoon.";
const TO = "+12025550601";
const COLLEAGUE = "+12025550602";

let vendor: FakeDeepgram;
let phones: TestTelephony;
beforeAll(async () => {
  const recognizer = createScriptedRecognizer([QUESTION]);
  vendor = await startFakeDeepgram({ apiKey: "key", voice: createFliteVoice(), recognizer });
  phones = await TestTelephony.start({
    answer: ANSWER,
    env: { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url },
    settings: { firstResponse: "Hello {name}.", recording: true },
  });
});
afterAll(async () => {
  await phones.close();
  await vendor.close();
});

it("an outbound call rings, is answered, talked through, transferred and ended, and all of it is kept", async () => {
  const { orgId, agentId } = phones.organization;
  const receiver = await TestReceiver.answering();
  onTestFinished(() => receiver.close());
  const hooked = await phones.request("POST", "/api/v1/hooks", {
    target_url: receiver.url,
    events: ["call.started", "call.ended", "recording.ready"],
  });
  expect(hooked.status, hooked.text).toBe(201);
  phones.phone(TO, {
    ringMs: 500,
    outcome: "answers",
    steps: [{ do: "listen", quietMs: 700, withinMs: 20_000 }, { do: "say", text: QUESTION }, STAY],
  });
  phones.phone(COLLEAGUE, { ringMs: 200, outcome: "answers", steps: [STAY] });

  const placed = await phones.dial(TO, { variables: { name: "Ada" } });
  const { sessionId } = placed;
  expect(placed).toMatchObject({ status: "queued", fromNumber: OUR_NUMBER, toNumber: TO });
  await phones.untilStatus(sessionId, "ringing");
  await phones.untilStatus(sessionId, "in-progress");
  const words = async () => (await phones.record(sessionId)).transcript.map(({ role, text }) => [role, text]);
  const conversation = [
    ["assistant", OPENER],
    ["user", QUESTION],
    ["assistant", ANSWER],
  ];
  await expect.poll(words, { timeout: 90_000, interval: 200 }).toEqual(conversation);
  const transfer = await phones.request("POST", `/api/sessions/${sessionId}/transfer`, { to: COLLEAGUE });
  expect(transfer).toMatchObject({ status: 200, body: { data: { to: COLLEAGUE, status: "transferring" } } });

  const record = await phones.untilStatus(sessionId, "completed");
  expect(record).toMatchObject({
    agentId,
    channel: "telephony",
    direction: "outbound",
    fromNumber: OUR_NUMBER,
    toNumber: TO,
    endReason: "transferred",
    variables: { name: "Ada" },
  });
  expect(await words()).toEqual(conversation);
  const { left, right } = await phones.recordingOf(sessionId);
  expect(likeness(left, await flite(QUESTION, "rms"))).toBeGreaterThan(FOUND);
  for (const spoken of [OPENER, ANSWER]) expect(likeness(right, await flite(spoken))).toBeGreaterThan(FOUND);

  const detail = async () =>
    (await phones.request("GET", `/api/orgs/${orgId}/calls/${sessionId}`)).body.data as CallDetail;
  const events = async () => (await detail()).events.map(({ type, about }) => [type, about]);
  await expect.poll(events).toEqual([
    ["call.started", null],
    ["recording.ready", null],
    ["call.ended", "transferred"],
  ]);
  const told = () => receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  await expect.poll(() => told().length).toBe(3);
  for (const [event, more] of [
    ["call.started", {}],
    ["recording.ready", {}],
    ["call.ended", { endReason: "transferred" }],
  ] as const)
    expect(told().find((one) => one.event === event)).toMatchObject({ sessionId, ...more });
});
