import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { timesRecorded } from "../../../../testkit/call-events.ts";
import { TestReceiver } from "../../../../testkit/receiver.ts";
import { TestTelephony } from "../../../../testkit/telephony.ts";
import type { AnsweredBy } from "../carrier.ts";
import type { PhoneStep } from "../loopback/script.ts";

const LISTEN: PhoneStep = { do: "listen", quietMs: 1_500, withinMs: 10_000 };
/** Long enough for the carrier's verdict to be there before a greeting. */
const BRIEFLY: PhoneStep = { do: "wait", ms: 1_000 };
const GREETING = "You have reached the voice mail of Ada. Please leave a message after the beep.";
const MESSAGE = "This is Parley. Please call us back.";
const ANSWER = "I hear you.";

let phones: TestTelephony;
let receiver: TestReceiver;
let lastNumber = 600;
beforeAll(async () => {
  phones = await TestTelephony.start();
  receiver = await TestReceiver.answering();
  const events = ["call.machine_detected", "call.ended"];
  await phones.request("POST", "/api/v1/hooks", { target_url: receiver.url, events });
});
afterAll(async () => {
  await phones.close();
  await receiver.close();
});

/** Greets after this, beeps, and records what it hears until that is over. */
function machine(first: PhoneStep, answeredBy: AnsweredBy = "machine_start", ringMs = 50): string {
  lastNumber += 1;
  return phones.phone(`+12025550${lastNumber}`, {
    ringMs,
    outcome: "answers",
    answeredBy,
    steps: [first, { do: "say", text: GREETING }, LISTEN, { do: "beep" }, BRIEFLY, { do: "hangUp" }],
  });
}

/** What webhooks told of a call that is over. */
async function toldOf(sessionId: string): Promise<{ detected: object[]; ended: object | undefined }> {
  const of = (name: string) =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .filter(({ event, sessionId: session }) => event === name && session === sessionId);
  await expect.poll(() => of("call.ended").length).toBe(1);
  const times = await timesRecorded(phones.api.database, sessionId, "call.machine_detected");
  await expect.poll(() => of("call.machine_detected").length).toBe(times);
  return { detected: of("call.machine_detected"), ended: of("call.ended")[0] };
}

async function callMachine(to: string, voicemail: object | undefined, machineDetection: string | undefined) {
  const opener = { firstResponse: "Hello, this is Parley." };
  const agentId = await phones.agent({ ...opener, ...(voicemail ? { voicemail } : {}) });
  const about = machineDetection === undefined ? {} : { machineDetection };
  const { sessionId } = await phones.dial(to, { agentId, ...about });
  const record = await phones.untilStatus(sessionId, "completed");
  return { record, spoken: record.transcript.map(({ text }) => text), ...(await toldOf(sessionId)) };
}

describe("an agent that hangs up on machines", () => {
  it.each<[string, object | undefined, string | undefined]>([
    ["because nothing else was set", undefined, undefined],
    ["by its policy", { action: "hangup" }, "true"],
    ["although there is a message it could leave", { action: "hangup", message: MESSAGE }, undefined],
    ["though it would talk to them, for the call was placed so", { action: "continue" }, "hangup"],
  ])(
    "does so %s, leaves no message, and webhooks tell of it",
    async (_why, voicemail, detection) => {
      const { record, spoken, detected, ended } = await callMachine(machine(BRIEFLY), voicemail, detection);
      expect(record).toMatchObject({ status: "completed", endReason: "amd_hangup" });
      expect(spoken).not.toContain(MESSAGE);
      expect(spoken).not.toContain(ANSWER);
      expect(detected).toMatchObject([
        {
          answeredBy: "machine_start",
          action: "amd_hangup",
          callContinues: false,
          direction: "outbound",
          channel: "telephony",
        },
      ]);
      expect(ended).toMatchObject({ answeredBy: "machine_start", endReason: "amd_hangup" });
    },
    40_000,
  );
});

describe("an agent that talks to machines", () => {
  it.each<[string, string | undefined, string | null]>([
    ["and has nobody look for them does so to the end, and nobody knows who answered", undefined, null],
    [
      "does so to the end when they are looked for, and its end tells what it was",
      "true",
      "machine_end_beep",
    ],
  ])(
    "%s",
    async (_what, machineDetection, answeredBy) => {
      const { record, spoken, detected, ended } = await callMachine(
        machine(LISTEN),
        { action: "continue", message: MESSAGE },
        machineDetection,
      );
      expect(record).toMatchObject({ status: "completed", endReason: null });
      expect(spoken).toEqual(["Hello, this is Parley.", GREETING, ANSWER]);
      expect(detected).toEqual([]);
      expect(ended).toMatchObject({ answeredBy, endReason: null });
    },
    40_000,
  );

  it("and answers assistants that screen calls is neither hushed nor ended by a carrier's verdict", async () => {
    const screening = { screening: true, screeningLine: "This is Parley." };
    const { sessionId } = await phones.dial(machine(LISTEN, "machine_end_silence"), {
      agentId: await phones.agent({
        firstResponse: "Hello.",
        voicemail: { action: "continue" },
        ...screening,
      }),
      machineDetection: "true",
    });
    const record = await phones.untilStatus(sessionId, "completed");
    expect(record.endReason).toBeNull();
    expect(record.transcript.map(({ text }) => text)).toEqual(["Hello.", GREETING, ANSWER]);
  });
});

describe("an agent that is changed while a machine rings", () => {
  it("deals with it as the call was placed", async () => {
    const agentId = await phones.agent({ firstResponse: "Hello.", voicemail: { action: "continue" } });
    const to = machine(BRIEFLY, "machine_start", 1_500);
    const { sessionId } = await phones.dial(to, { agentId, machineDetection: "true" });
    const change = { voicemail: { action: "hangup" } };
    expect((await phones.request("PATCH", `/api/agents/${agentId}`, change)).status).toBe(200);
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({
      endReason: null,
      agentVersion: 1,
    });
  });
});
