import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestReceiver } from "../../../../testkit/receiver.ts";
import { TestTelephony } from "../../../../testkit/telephony.ts";
import type { PhoneStep } from "../loopback/script.ts";
import { GRACE_MS } from "./verdict.ts";

/** Quiet for longer than speech stalls on a busy machine. */
const LISTEN: PhoneStep = { do: "listen", quietMs: 1_500, withinMs: 15_000 };
const GREETING = "You have reached the voice mail of Ada. Please leave a message after the beep.";
const LINE = "This is Parley, about your order of Monday.";
const MESSAGE = "This is Parley. Please call us back.";

let phones: TestTelephony;
beforeAll(async () => {
  const voicemail = { action: "message", message: MESSAGE };
  const settings = { voicemail, screening: true, screeningLine: LINE };
  phones = await TestTelephony.start({ settings });
});
afterAll(() => phones.close());

/** When the phone of a call heard somebody speak. */
function loudFramesAtMs(sessionId: string): number[] {
  const frames = phones.heard.get(sessionId) ?? [];
  const isLoud = (frame: Int16Array | undefined) => frame?.some((sample) => Math.abs(sample) > 1_000);
  return (phones.heardAtMs.get(sessionId) ?? []).filter((_, index) => isLoud(frames[index]));
}

async function answeredBy(sessionId: string): Promise<string | null> {
  const call = await phones.api.database.db
    .selectFrom("calls")
    .select("answered_by")
    .where("session_id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return call.answered_by;
}

describe("a call with machine detection", () => {
  it("leaves its message after the beep of an answering machine, and tells of it", async () => {
    const receiver = await TestReceiver.answering(200);
    await phones.request("POST", "/api/v1/hooks", {
      target_url: receiver.url,
      events: ["call.machine_detected", "call.ended"],
    });
    const to = phones.phone("+12025550131", {
      ringMs: 50,
      outcome: "answers",
      answeredBy: "machine_start",
      steps: [
        { do: "say", text: GREETING },
        { do: "wait", ms: 3_000 },
        { do: "beep" },
        LISTEN,
        { do: "wait", ms: 20_000 },
      ],
    });
    const { sessionId, callSid } = await phones.dial(to, { machineDetection: "true" });
    const record = await phones.untilStatus(sessionId, "completed");
    expect(record.endReason).toBe("voicemail_drop");
    expect(record.transcript.at(-1)).toMatchObject({ role: "assistant", text: MESSAGE });
    expect(record.transcript.filter(({ text }) => text === "I hear you.")).toEqual([]);
    await expect.poll(() => receiver.received.length).toBe(2);
    const events = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    const detected = events.find(({ event }) => event === "call.machine_detected");
    expect(detected).toMatchObject({
      sessionId,
      callSid,
      answeredBy: "machine_end_beep",
      action: "voicemail_drop",
      callContinues: false,
    });
    expect(events.find(({ event }) => event === "call.ended")).toMatchObject({
      answeredBy: "machine_end_beep",
      endReason: "voicemail_drop",
    });
    const beepAtMs = Date.parse(String(detected?.detectedAt));
    expect(detected?.occurredAt).not.toBe(detected?.detectedAt);
    // Its opener may have begun before the carrier's verdict was there; it is cut off at once.
    const spokenAtMs = loudFramesAtMs(sessionId).filter((atMs) => atMs > beepAtMs - 1_500);
    expect(spokenAtMs.length).toBeGreaterThan(25);
    expect(spokenAtMs.filter((atMs) => atMs < beepAtMs)).toEqual([]);
    await receiver.close();
  });

  it("tells of a fax as a machine, and the call's end tells what it was", async () => {
    const receiver = await TestReceiver.answering(200);
    await phones.request("POST", "/api/v1/hooks", {
      target_url: receiver.url,
      events: ["call.machine_detected", "call.ended"],
    });
    const to = phones.phone("+12025550139", {
      ringMs: 50,
      outcome: "answers",
      answeredBy: "fax",
      steps: [{ do: "wait", ms: 20_000 }],
    });
    const { sessionId } = await phones.dial(to, { machineDetection: "true" });
    await phones.untilStatus(sessionId, "completed");
    const told = () => receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    const of = (name: string) =>
      told().find((event) => event.event === name && event.sessionId === sessionId);
    await expect.poll(() => of("call.ended")).toMatchObject({ answeredBy: "fax", endReason: "amd_hangup" });
    expect(of("call.machine_detected")).toMatchObject({ answeredBy: "machine", action: "amd_hangup" });
    await receiver.close();
  });

  it("that is to drop machines drops one at once", async () => {
    const to = phones.phone("+12025550132", {
      ringMs: 50,
      outcome: "answers",
      answeredBy: "machine_start",
      steps: [
        { do: "say", text: GREETING },
        { do: "wait", ms: 20_000 },
      ],
    });
    const { sessionId } = await phones.dial(to, { machineDetection: "hangup" });
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "amd_hangup" });
  });

  it("goes on with a person the carrier took for a machine", async () => {
    const to = phones.phone("+12025550133", {
      ringMs: 50,
      outcome: "answers",
      answeredBy: "machine_start",
      steps: [
        { do: "wait", ms: 500 },
        { do: "say", text: "Hello, this is Ada speaking." },
        { do: "wait", ms: 1_500 },
        { do: "say", text: "Can you hear me?" },
        LISTEN,
        { do: "hangUp" },
      ],
    });
    const { sessionId } = await phones.dial(to, { machineDetection: "true" });
    const record = await phones.untilStatus(sessionId, "completed");
    expect(record.transcript.map(({ text }) => text)).toContain("I hear you.");
    expect(await answeredBy(sessionId)).toBe("human");
  });

  it("talks to a phone the carrier took for a machine when nothing bears that out for a while", async () => {
    const to = phones.phone("+12025550136", {
      ringMs: 50,
      outcome: "answers",
      answeredBy: "machine_start",
      steps: [
        { do: "wait", ms: GRACE_MS + 2_000 },
        { do: "say", text: "Is anybody there?" },
        LISTEN,
        { do: "hangUp" },
      ],
    });
    const { sessionId } = await phones.dial(to, { machineDetection: "true" });
    const record = await phones.untilStatus(sessionId, "completed");
    expect(record.transcript.at(-1)).toMatchObject({ role: "assistant", text: "I hear you." });
    expect(await answeredBy(sessionId)).toBe("amd_unconfirmed");
  });

  it("hangs up on a menu, and tells of it", async () => {
    const receiver = await TestReceiver.answering(200);
    await phones.request("POST", "/api/v1/hooks", {
      target_url: receiver.url,
      events: ["call.machine_detected"],
    });
    const to = phones.phone("+12025550137", {
      ringMs: 50,
      outcome: "answers",
      steps: [
        { do: "say", text: "For sales, press one. For support, press two." },
        { do: "wait", ms: 20_000 },
      ],
    });
    const { sessionId } = await phones.dial(to, { machineDetection: "true" });
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "ivr_hangup" });
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(JSON.parse(receiver.received[0]?.body ?? "{}")).toMatchObject({
      sessionId,
      answeredBy: "machine_text_detect",
      action: "ivr_hangup",
      callContinues: false,
    });
    await receiver.close();
  });

  it("that says nothing of machines follows its agent's policy", async () => {
    const to = phones.phone("+12025550134", {
      ringMs: 50,
      outcome: "answers",
      answeredBy: "machine_start",
      steps: [
        { do: "say", text: GREETING },
        { do: "wait", ms: 1_500 },
        { do: "beep" },
        LISTEN,
        { do: "wait", ms: 20_000 },
      ],
    });
    const { sessionId } = await phones.dial(to);
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "voicemail_drop" });
  });

  it("tells an assistant that screens it who calls and why, and greets the person who comes then", async () => {
    const receiver = await TestReceiver.answering(200);
    await phones.request("POST", "/api/v1/hooks", {
      target_url: receiver.url,
      events: ["call.machine_detected", "call.ended"],
    });
    const to = phones.phone("+12025550135", {
      ringMs: 50,
      outcome: "answers",
      steps: [
        LISTEN,
        { do: "say", text: "If you record your name and reason for calling, I'll see if they're available." },
        { do: "wait", ms: 500 },
        LISTEN,
        { do: "say", text: "Thanks. Please stay on the line." },
        { do: "wait", ms: 1_500 },
        { do: "say", text: "Hello, Ada here." },
        LISTEN,
        { do: "hangUp" },
      ],
    });
    const { sessionId } = await phones.dial(to, { variables: { name: "Ada" } });
    const { transcript } = await phones.untilStatus(sessionId, "completed");
    const spoken = transcript.filter(({ role }) => role === "assistant").map(({ text }) => text);
    expect(spoken).toContain(LINE);
    expect(spoken.at(-1)).toBe("Hello Ada, how can I help?");
    await expect.poll(() => receiver.received.length).toBe(2);
    const events = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(events.find(({ event }) => event === "call.machine_detected")).toMatchObject({
      sessionId,
      answeredBy: "machine_text_detect",
      action: "call_screen",
      callContinues: true,
    });
    expect(events.find(({ event }) => event === "call.ended")).toMatchObject({ answeredBy: "human" });
    await receiver.close();
  });
});
