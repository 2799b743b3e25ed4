import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TestCampaigns } from "../../../testkit/campaigns.ts";
import { TestTelephony } from "../../../testkit/telephony.ts";
import { noteMessageWish } from "./note-opt-outs.ts";
import { isSpokenOptOut } from "./opt-out-words.ts";

const SOON = { timeout: 90_000, interval: 50 };
let telephony: TestTelephony;
let campaigns: TestCampaigns;

beforeAll(async () => {
  telephony = await TestTelephony.start();
  campaigns = await TestCampaigns.start(telephony.api, {
    brainUrl: telephony.brain.url,
    number: "+12025550177",
  });
});
afterAll(() => telephony.close());

async function listed(): Promise<{ number: string; source: string }[]> {
  const { body } = await campaigns.call("GET", "/dnc");
  return (body.data as { numbers: { number: string; source: string }[] }).numbers;
}

describe("the do-not-call list", () => {
  it("takes numbers and tables of them, says what it did not take, and finds them by digits", async () => {
    const numbers = ["+49 30 1234567", "+49301234567", "12"];
    const added = await campaigns.call("POST", "/dnc", { numbers, reason: "asked by letter" });
    expect(added.body.data).toMatchObject({
      added: 1,
      duplicates: 1,
      refusedTotal: 1,
      refused: [{ row: 3, value: "12" }],
    });
    const csv = "name,phone\nAda,+12025550101\nBob,+12025550102\nBob,+49301234567\n";
    const imported = await campaigns.call("POST", "/dnc/import", { csv });
    expect(imported.body.data).toMatchObject({ added: 2, duplicates: 1, refusedTotal: 0 });
    const found = await campaigns.call("GET", "/dnc?search=301234");
    expect(found.body.data).toMatchObject({
      total: 1,
      numbers: [{ number: "+49301234567", reason: "asked by letter", source: "member" }],
    });
    const check = { numbers: ["+12025550101", "+12025550109"] };
    expect((await campaigns.call("POST", "/dnc/check", check)).body.data).toEqual({
      blocked: ["+12025550101"],
    });
  });

  it("lets a number be called again, which the audit log tells", async () => {
    const number = "+12025550150";
    await campaigns.call("POST", "/dnc", { numbers: [number] });
    const path = `/dnc/${encodeURIComponent(number)}`;
    expect((await campaigns.call("DELETE", path)).status).toBe(200);
    expect((await campaigns.call("DELETE", path)).status).toBe(404);
    const { body } = await campaigns.call("GET", "/audit");
    expect(JSON.stringify(body)).toContain("do_not_call.removed");
  });

  it("holds for every call that is dialed: an agent's, and a person's", async () => {
    const to = "+12025550151";
    await campaigns.call("POST", "/dnc", { numbers: [to] });
    const agentCall = { agentId: campaigns.agentId, to };
    for (const [path, body] of [
      ["/api/sessions/initiate-call", agentCall],
      ["/api/sessions/init-manual-call", { to, from: "+12025550177" }],
    ] as const) {
      const refused = await campaigns.person.call("POST", path, body);
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({
        code: "forbidden",
        details: { reason: "do_not_call", number: to },
      });
    }
    expect(await telephony.statusesOf(to)).toEqual([]);
  });

  it("holds however a number is written, also with the zero of its country", async () => {
    await campaigns.call("POST", "/dnc/import", { csv: "phone\n+44 (0)20 7946 0018\n" });
    for (const to of ["+442079460018", "+4402079460018"]) {
      const body = { agentId: campaigns.agentId, to };
      const refused = await campaigns.person.call("POST", "/api/sessions/initiate-call", body);
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({ details: { reason: "do_not_call", number: to } });
    }
  });

  it("holds for numbers that a version before kept with the zero of their country, and lets them go", async () => {
    const kept = "+4402079460019";
    const { orgId } = campaigns.person;
    const row = {
      org_id: orgId,
      number: kept,
      reason: "",
      source: "import" as const,
      created_at: new Date(),
    };
    await telephony.api.database.db.insertInto("do_not_call").values(row).execute();
    const written = { rows: [{ phone: "+44 (0)20 7946 0019" }] };
    const { id } = await campaigns.create();
    const added = await campaigns.call("POST", `/campaigns/${id}/targets`, written);
    expect(added.body.data).toMatchObject({ added: 1, doNotCall: 1 });
    const to = "+442079460019";
    const check = await campaigns.call("POST", "/dnc/check", { numbers: [to] });
    expect(check.body.data).toEqual({ blocked: [to] });
    const body = { agentId: campaigns.agentId, to };
    expect((await campaigns.person.call("POST", "/api/sessions/initiate-call", body)).status).toBe(403);
    expect((await campaigns.call("DELETE", `/dnc/${encodeURIComponent(to)}`)).status).toBe(200);
    expect((await listed()).map(({ number }) => number)).not.toContain(kept);
  });

  it("gets whoever asks for it on the phone", async () => {
    const to = telephony.phone("+12025550152", {
      ringMs: 50,
      outcome: "answers",
      steps: [{ do: "wait", ms: 60_000 }],
    });
    const placed = await campaigns.person.call("POST", "/api/sessions/initiate-call", {
      agentId: campaigns.agentId,
      to,
    });
    expect(placed.status).toBe(200);
    const { sessionId } = placed.body.data as { sessionId: string };
    await record(sessionId, "Please take me off your list.");
    await vi.waitFor(
      async () =>
        expect(await listed()).toContainEqual(expect.objectContaining({ number: to, source: "call" })),
      SOON,
    );
  });

  it("gets whoever presses the key that their call's campaign names, and no other", async () => {
    const to = telephony.phone("+12025550154", {
      ringMs: 50,
      outcome: "answers",
      steps: [{ do: "wait", ms: 60_000 }],
    });
    const hours = { days: [0, 1, 2, 3, 4, 5, 6], from: "00:00", to: "23:59" };
    const { id } = await campaigns.create({ hours, optOutKey: "9" });
    await campaigns.addTargets(id, [{ phone: to, timezone: "America/New_York" }]);
    expect((await campaigns.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
    const sessionId = await vi.waitFor(async () => {
      const [target] = await campaigns.targets(id);
      if (!target?.sessionId) throw new Error("nobody was called yet");
      return target.sessionId;
    }, SOON);
    for (const digit of ["5", "9"]) await happen(sessionId, { type: "call.dtmf", digit });
    await vi.waitFor(
      async () =>
        expect(await listed()).toContainEqual(
          expect.objectContaining({ number: to, source: "key", reason: "Pressed 9 in a call" }),
        ),
      SOON,
    );
  });

  it("gets whoever asks for no more messages", async () => {
    const { db } = telephony.api.database;
    const { orgId } = campaigns.person;
    const at = new Date();
    const from = "+12025550153";
    await noteMessageWish(db, { orgId, from, wish: "out", source: "message", at });
    expect((await listed()).map(({ number }) => number)).toContain(from);
    await noteMessageWish(db, { orgId, from, wish: "in", source: "message", at });
    expect((await listed()).map(({ number }) => number)).not.toContain(from);
  });

  it("gets no id that stands where a number is", async () => {
    const { orgId } = campaigns.person;
    for (const from of ["US.1349", "+0", "x".repeat(9_000), null])
      await noteMessageWish(telephony.api.database.db, {
        orgId,
        from,
        wish: "out",
        source: "message",
        at: new Date(),
      });
    expect((await listed()).filter(({ number }) => !/^\+[1-9]\d{6,14}$/.test(number))).toEqual([]);
  });
});

describe("asking for it", () => {
  it.each([
    "Do not call me again.",
    "Please don't call this number anymore!",
    "Stop calling me",
    "take me off your calling list",
    "Rufen Sie mich bitte nicht mehr an.",
    "No me llame más",
  ])("on the phone: %s", (text) => {
    expect(isSpokenOptOut(text)).toBe(true);
  });

  it.each([
    "Call me back tomorrow",
    "Please don't call before nine",
    "I never call that number",
    "Take me to your leader",
    "Do not call the police",
  ])("is something else on the phone: %s", (text) => {
    expect(isSpokenOptOut(text)).toBe(false);
  });
});

/** The caller says something, as the gateway reports it. */
function record(sessionId: string, text: string): Promise<void> {
  const said = { type: "call.message", turn: 1, role: "user", text, interrupted: false, source: "speech" };
  return happen(sessionId, said);
}

let seq = 900;
async function happen(sessionId: string, what: object): Promise<void> {
  const { bus } = telephony.api;
  const at = new Date().toISOString();
  const event = { id: newId("evt"), sessionId, orgId: campaigns.person.orgId, seq: seq++, at, ...what };
  await bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(event));
}
