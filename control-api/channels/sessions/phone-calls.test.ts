import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { timesRecorded } from "../../../testkit/call-events.ts";
import { OUR_NUMBER, TestTelephony } from "../../../testkit/telephony.ts";
import type { PhoneStep } from "../carriers/loopback/script.ts";

const LISTEN: PhoneStep = { do: "listen", quietMs: 1_500, withinMs: 10_000 };
const STAY: PhoneStep = { do: "wait", ms: 60_000 };

let phones: TestTelephony;
beforeAll(async () => {
  phones = await TestTelephony.start({ ringTimeoutSecs: 2 });
});
afterAll(() => phones.close());

describe("an outbound call", () => {
  it("rings, is answered, talked through and hung up by the person on the phone", async () => {
    const to = phones.phone("+12025550150", {
      // Long enough to be seen ringing, however busy the machine is.
      ringMs: 2_000,
      outcome: "answers",
      steps: [LISTEN, { do: "say", text: "When do you open?" }, LISTEN, { do: "hangUp" }],
    });
    const placed = await phones.dial(to, { variables: { name: "Ada" } });
    expect(placed).toMatchObject({ status: "queued", fromNumber: OUR_NUMBER, toNumber: to });
    await phones.untilStatus(placed.sessionId, "ringing");
    await phones.untilStatus(placed.sessionId, "in-progress");
    const record = await phones.untilStatus(placed.sessionId, "completed");
    expect(record).toMatchObject({
      channel: "telephony",
      direction: "outbound",
      fromNumber: OUR_NUMBER,
      toNumber: to,
      endReason: null,
    });
    expect(record.transcript.map(({ text }) => text)).toEqual([
      "Hello Ada, how can I help?",
      "When do you open?",
      "I hear you.",
    ]);
    expect(phones.heard.get(placed.sessionId)!.length).toBeGreaterThan(50);
    const metrics = await (await fetch(`${phones.api.api.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/parley_phone_calls_total\{carrier="loopback",outcome="completed"\} [1-9]/);
  });

  it.each([
    ["busy", "busy"],
    ["no-answer", "no_answer"],
  ] as const)("to a phone that is %s ends so, and never began", async (outcome, endReason) => {
    const to = phones.phone(`+1202555016${outcome.length}`, { ringMs: 50, outcome, steps: [] });
    const { sessionId } = await phones.dial(to);
    const record = await phones.untilStatus(sessionId, outcome);
    expect(record).toMatchObject({ endReason, startTime: null, transcript: [] });
  });

  it("that is withdrawn while it rings is canceled, and never began", async () => {
    const to = phones.phone("+12025550161", { ringMs: 0, outcome: "no-answer", steps: [] });
    const { sessionId } = await phones.dial(to);
    await phones.untilStatus(sessionId, "ringing");
    await phones.request("DELETE", `/api/sessions/${sessionId}`);
    const record = await phones.untilStatus(sessionId, "canceled");
    expect(record).toMatchObject({ startTime: null, transcript: [] });
  });

  it("to a number that is not in service is refused with the carrier's words, and recorded as failed", async () => {
    const to = phones.phone("+12025550170", { ringMs: 0, outcome: "refuses", steps: [] });
    const body = { agentId: phones.organization.agentId, to };
    const answer = await phones.request("POST", "/api/sessions/initiate-call", body);
    expect(answer).toMatchObject({ status: 400, body: { success: false, code: "bad_request" } });
    expect(answer.body.error).toContain("not in service");
    const failed = () =>
      phones.api.database.db.selectFrom("calls").select("status").where("to_number", "=", to).execute();
    await expect.poll(failed).toEqual([{ status: "failed" }]);
  });

  it("that our side ends hangs the phone up", async () => {
    const to = phones.phone("+12025550171", { ringMs: 50, outcome: "answers", steps: [STAY] });
    const { sessionId } = await phones.dial(to);
    await phones.untilStatus(sessionId, "in-progress");
    expect((await phones.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "api_request" });
    const transfer = await phones.request("POST", `/api/sessions/${sessionId}/transfer`, { to });
    expect(transfer.status).toBe(404);
  });

  it("is placed once for one Idempotency-Key, however often it is asked for", async () => {
    const to = phones.phone("+12025550172", { ringMs: 5_000, outcome: "answers", steps: [] });
    const body = { agentId: phones.organization.agentId, to };
    const headers = { "idempotency-key": "the-same" };
    const ask = () => phones.request("POST", "/api/sessions/initiate-call", body, headers);
    const race = await Promise.all(Array.from({ length: 20 }, ask));
    // Those that come before the first is answered are told to wait; how many, is the machine's affair.
    for (const { status } of race) expect([200, 409]).toContain(status);
    const again = await ask();
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const rows = await phones.api.database.db
      .selectFrom("calls")
      .select("session_id")
      .where("to_number", "=", to)
      .execute();
    expect(rows).toEqual([{ session_id: (again.body.data as { sessionId: string }).sessionId }]);
    const other = await phones.request(
      "POST",
      "/api/sessions/initiate-call",
      { ...body, to: OUR_NUMBER },
      headers,
    );
    expect(other).toMatchObject({ status: 400, body: { code: "bad_request" } });
  });

  it.each([
    ["a number that is not E.164", { to: "0612345678" }, "to"],
    [
      "two caller numbers",
      { to: "+12025550150", fromNumber: OUR_NUMBER, fromNumberId: "num_1" },
      "fromNumber",
    ],
    ["an unknown detection", { to: "+12025550150", machineDetection: "maybe" }, "machineDetection"],
  ])("with %s is refused with the field named", async (_what, body, field) => {
    const answer = await phones.request("POST", "/api/sessions/initiate-call", {
      agentId: phones.organization.agentId,
      ...body,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(field);
  });

  it("cannot come from another organization's number, which it can neither change nor remove", async () => {
    const other = await phones.api.createOrganization();
    const key = other.keys.developer;
    const number = "+12025550199";
    const added = await phones.api.call("POST", "/api/v1/numbers", { key, body: { number } });
    expect(added.status).toBe(201);
    const { id } = added.body as unknown as { id: string };
    const to = phones.phone("+12025550150", { ringMs: 50, outcome: "answers", steps: [] });
    for (const from of [{ fromNumber: number }, { fromNumberId: id }]) {
      const body = { agentId: phones.organization.agentId, to, ...from };
      const answer = await phones.request("POST", "/api/sessions/initiate-call", body);
      expect(answer).toMatchObject({ status: 400, body: { code: "bad_request" } });
      expect(answer.body.error).toContain(`${Object.keys(from)[0]} must be a number of this organization`);
    }
    const change = { agentId: phones.organization.agentId };
    expect((await phones.request("PATCH", `/api/v1/numbers/${id}`, change)).status).toBe(404);
    expect((await phones.request("DELETE", `/api/v1/numbers/${id}`)).status).toBe(404);
    // For its owner it is there, and as it was.
    const own = { agentId: other.agentId, to, fromNumberId: id };
    const placed = await phones.api.call("POST", "/api/sessions/initiate-call", { key, body: own });
    expect(placed).toMatchObject({ status: 200, body: { data: { fromNumber: number } } });
  });
});

describe("a transfer", () => {
  const startedTimes = (sessionId: string) => timesRecorded(phones.api.database, sessionId, "call.started");

  it("to somebody who answers ends the call as transferred", async () => {
    const to = phones.phone("+12025550180", { ringMs: 50, outcome: "answers", steps: [STAY] });
    const colleague = phones.phone("+12025550181", { ringMs: 100, outcome: "answers", steps: [] });
    const { sessionId } = await phones.dial(to);
    await phones.untilStatus(sessionId, "in-progress");
    const answer = await phones.request("POST", `/api/sessions/${sessionId}/transfer`, { to: colleague });
    expect(answer.body).toEqual({
      success: true,
      data: { sessionId, to: colleague, status: "transferring" },
    });
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "transferred" });
  });

  it("to somebody who is busy comes back to the agent, and the call goes on without starting again", async () => {
    const to = phones.phone("+12025550182", {
      ringMs: 50,
      outcome: "answers",
      steps: [
        LISTEN,
        { do: "wait", ms: 1_500 },
        { do: "say", text: "Are you still there?" },
        LISTEN,
        { do: "hangUp" },
      ],
    });
    const colleague = phones.phone("+12025550183", { ringMs: 50, outcome: "busy", steps: [] });
    const { sessionId } = await phones.dial(to);
    await phones.untilStatus(sessionId, "in-progress");
    await phones.request("POST", `/api/sessions/${sessionId}/transfer`, { to: colleague });
    const record = await phones.untilStatus(sessionId, "completed");
    expect(record.transcript.map(({ text }) => text)).toContain("Are you still there?");
    expect(await startedTimes(sessionId)).toBe(1);
  });

  const isLoud = (frame: Int16Array): boolean => frame.some((sample) => Math.abs(sample) > 1_000);
  const warm = (to: string) => ({ to, mode: "warm", whisper: "Ada, about her order." });

  it("that is warm tells who is called first, while the caller hears it ring", async () => {
    const to = phones.phone("+12025550184", { ringMs: 50, outcome: "answers", steps: [LISTEN, STAY] });
    const colleague = phones.phone("+12025550185", { ringMs: 1_000, outcome: "answers", steps: [] });
    const { sessionId } = await phones.dial(to);
    const opener = async () => (await phones.record(sessionId)).transcript.length;
    await expect.poll(opener).toBe(1);
    const heardBefore = phones.heard.get(sessionId)?.length ?? 0;
    await phones.request("POST", `/api/sessions/${sessionId}/transfer`, warm(colleague));
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "transferred" });
    expect(phones.heard.get(sessionId)?.slice(heardBefore).some(isLoud)).toBe(true);
    const { transfer_id: transferId, transfer } = await phones.api.database.db
      .selectFrom("calls")
      .select(["transfer_id", "transfer"])
      .where("session_id", "=", sessionId)
      .executeTakeFirstOrThrow();
    expect(phones.heard.get(transferId ?? "")?.some(isLoud)).toBe(true);
    expect(transfer).toBeNull();
  });

  it.each([
    ["hangs up on the whisper", { ringMs: 50, outcome: "answers", steps: [{ do: "hangUp" }] }, "declined"],
    ["is busy", { ringMs: 50, outcome: "busy", steps: [] }, "busy"],
  ] as const)(
    "that is warm, to somebody who %s, leaves the caller with the agent",
    async (_, script, why) => {
      const to = phones.phone("+12025550186", { ringMs: 50, outcome: "answers", steps: [LISTEN, STAY] });
      const colleague = phones.phone("+12025550187", script);
      const { sessionId } = await phones.dial(to);
      await phones.untilStatus(sessionId, "in-progress");
      await phones.request("POST", `/api/sessions/${sessionId}/transfer`, warm(colleague));
      const asked = () =>
        phones.brain.turns
          .filter(({ request }) => request.sessionId === sessionId)
          .map(({ request }) => request.query);
      await expect.poll(asked, { timeout: 90_000 }).toEqual([`TRANSFER FAILED: ${why}`]);
      const answered = async () => (await phones.record(sessionId)).transcript.at(-1)?.text;
      await expect.poll(answered).toBe("I hear you.");
      expect(await startedTimes(sessionId)).toBe(1);
      await phones.request("DELETE", `/api/sessions/${sessionId}`);
    },
    30_000,
  );

  it.each([
    ["warm without a whisper", { to: "+12025550188", mode: "warm" }, "whisper"],
    ["a whisper nobody hears", { to: "+12025550188", whisper: "Ada." }, "whisper"],
    ["a number that is none", { to: "reception" }, "to"],
  ])("that is %s is refused with the field named", async (_, body, field) => {
    const answer = await phones.request("POST", "/api/sessions/ses_1/transfer", body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(field);
  });

  it("that is refused at once tells who asked, and the agent goes on", async () => {
    const to = phones.phone("+12025550189", { ringMs: 50, outcome: "answers", steps: [LISTEN, STAY] });
    const nobody = phones.phone("+12025550190", { ringMs: 0, outcome: "refuses", steps: [] });
    const { sessionId } = await phones.dial(to);
    await phones.untilStatus(sessionId, "in-progress");
    const path = `/api/sessions/${sessionId}/transfer`;
    expect((await phones.request("POST", path, warm(nobody))).status).toBe(400);
    const colleague = phones.phone("+12025550191", { ringMs: 50, outcome: "answers", steps: [] });
    expect((await phones.request("POST", path, { to: colleague })).status).toBe(200);
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "transferred" });
  });
});
