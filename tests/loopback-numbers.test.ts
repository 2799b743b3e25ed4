// Real time: simulated people speak, beep and press keys at the rate of speech.
import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TestTelephony } from "../testkit/telephony.ts";

const OPENER = "Hello Ada, how can I help?";
const ANSWER = "I hear you.";
const MESSAGE = "This is Parley for Ada. Please call us back.";
const LINE = "This is Parley, about Ada's order of Monday.";
const SOON_MS = 90_000;

let phones: TestTelephony;
beforeAll(async () => {
  phones = await TestTelephony.start({
    builtInPhones: true,
    ringTimeoutSecs: 2,
    answer: ANSWER,
    settings: {
      voicemail: { action: "message", message: MESSAGE.replace("Ada", "{{name}}") },
      screening: true,
      screeningLine: LINE.replace("Ada", "{name}"),
    },
  });
});
afterAll(() => phones.close());

/** Who answers goes by the last two digits: the table of docs/phones.md#the-loopback-numbers. */
const call = (ending: string) =>
  phones.dial(`+120255507${ending}`, { variables: { name: "Ada" } }).then(({ sessionId }) => sessionId);

async function detail(sessionId: string): Promise<CallDetail> {
  const { orgId } = phones.organization;
  return (await phones.request("GET", `/api/orgs/${orgId}/calls/${sessionId}`)).body.data as CallDetail;
}

/** What the call's events of a type are about, in their order. */
async function about(
  sessionId: string,
  type: CallDetail["events"][number]["type"],
): Promise<(string | null)[]> {
  const { events } = await detail(sessionId);
  return events.filter((event) => event.type === type).map((event) => event.about);
}

const said = async (sessionId: string) =>
  (await phones.record(sessionId)).transcript.map(({ role, text }) => `${role}: ${text}`);

/** Until so much was said; then our side ends the call, which its owner would not for a minute. */
async function talkedThrough(sessionId: string, words: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await said(sessionId)).toEqual(words), SOON_MS);
  expect((await phones.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
  expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "api_request" });
}

describe.concurrent("a call to a loopback number that ends in", () => {
  it("01 is busy, and never began", async () => {
    const sessionId = await call("01");
    const record = await phones.untilStatus(sessionId, "busy");
    expect(record).toMatchObject({ endReason: "busy", startTime: null, transcript: [] });
  });

  it("02 rings, and nobody answers", async () => {
    const sessionId = await call("02");
    await phones.untilStatus(sessionId, "ringing");
    const record = await phones.untilStatus(sessionId, "no-answer");
    expect(record).toMatchObject({ endReason: "no_answer", startTime: null, transcript: [] });
  });

  it("03 is an answering machine, which the agent leaves its message on after the beep", async () => {
    const sessionId = await call("03");
    const record = await phones.untilStatus(sessionId, "completed");
    expect(record.endReason).toBe("voicemail_drop");
    expect(record.transcript.at(-1)).toMatchObject({ role: "assistant", text: MESSAGE, interrupted: false });
    expect(await about(sessionId, "call.machine_detected")).toEqual(["machine_end_beep"]);
  });

  it("04 presses 42# after the agent's first words, which its brain is told", async () => {
    const sessionId = await call("04");
    await talkedThrough(sessionId, [`assistant: ${OPENER}`, "user: DTMF: 42#", `assistant: ${ANSWER}`]);
    expect(await about(sessionId, "call.dtmf")).toEqual(["4", "2", "#"]);
  });

  it("05 answers, and hangs up at once", async () => {
    const sessionId = await call("05");
    const { startTime, endReason, transcript } = await phones.untilStatus(sessionId, "completed");
    expect([startTime, endReason]).toEqual([expect.any(String), null]);
    expect(transcript.filter(({ role }) => role === "user")).toEqual([]);
  });

  it("05 hangs up on a warm transfer, which the agent is told", async () => {
    const sessionId = await call("56");
    await phones.untilStatus(sessionId, "in-progress");
    const order = { to: "+12025550705", mode: "warm", whisper: "A caller." };
    expect((await phones.request("POST", `/api/sessions/${sessionId}/transfer`, order)).status).toBe(200);
    const told = () => phones.brain.turns.map(({ request }) => request);
    await vi.waitFor(
      () =>
        expect(told()).toContainEqual(
          expect.objectContaining({ sessionId, query: "TRANSFER FAILED: declined" }),
        ),
      SOON_MS,
    );
    expect((await phones.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
  });

  it("06 is refused with 400 and the carrier's words, and recorded as failed", async () => {
    const to = "+12025550706";
    const body = { agentId: phones.organization.agentId, to, variables: { name: "Ada" } };
    const answer = await phones.request("POST", "/api/sessions/initiate-call", body);
    expect(answer).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(answer.body.error).toContain("the number is not in service");
    const path = `/api/orgs/${phones.organization.orgId}/calls?number=${encodeURIComponent(to)}`;
    await vi.waitFor(async () => {
      const { calls } = (await phones.request("GET", path)).body.data as { calls: { status: string }[] };
      expect(calls.map(({ status }) => status)).toEqual(["failed"]);
    }, SOON_MS);
  });

  it("07 listens, says goodbye, listens again and hangs up", async () => {
    const sessionId = await call("07");
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: null });
    expect(await said(sessionId)).toEqual([
      `assistant: ${OPENER}`,
      "user: That was all I wanted to know. Goodbye.",
      `assistant: ${ANSWER}`,
    ]);
  });

  it("08 is an assistant that is told who calls and why; the person who comes then is greeted", async () => {
    const sessionId = await call("08");
    const inTheirOrder = [`assistant: ${LINE}`, "user: Hello, Ada speaking.", `assistant: ${OPENER}`];
    await vi.waitFor(async () => {
      const words = await said(sessionId);
      const sinceAsked = words.slice(words.findIndex((line) => line.startsWith("user: ")));
      expect(
        sinceAsked.filter((line) => inTheirOrder.includes(line)),
        words.join("\n"),
      ).toEqual(inTheirOrder);
    }, SOON_MS);
    expect(await about(sessionId, "call.machine_detected")).toEqual(["machine_text_detect"]);
    expect((await phones.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
    await phones.untilStatus(sessionId, "completed");
  });

  it("anything else asks for the opening hours, and stays on the line", async () => {
    const words = [`assistant: ${OPENER}`, "user: What are your opening hours?", `assistant: ${ANSWER}`];
    await talkedThrough(await call("55"), words);
  });
});
