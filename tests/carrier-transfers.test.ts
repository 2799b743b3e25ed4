import { ACCOUNT_CARRIERS } from "@parley/shared/contracts/phone-carriers.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { timesRecorded } from "../testkit/call-events.ts";
import { COLLEAGUE, ENDED, isLoud, post, type Row, SOON_MS, TestCarriers } from "../testkit/carriers.ts";
import type { FakeCall } from "../testkit/fakes/carriers/fake-carrier.ts";
import type { FakePhone } from "../testkit/fakes/phones/phone.ts";
import type { TestTelephony } from "../testkit/telephony.ts";

const WHISPER = "Ada & her order: she's waiting.";
/** Whom each call is handed over to by a colleague who is told first. */
const TOLD_FIRST: Record<string, string> = {};

let carriers: TestCarriers;
let telephony: TestTelephony;

beforeAll(async () => {
  carriers = await TestCarriers.start({
    brain: (turn) => {
      const { query, sessionId } = turn.request;
      if (query === "DTMF: 0#") turn.control({ event: "call_end", farewell: "Bye." });
      else if (query === "DTMF: 9#") {
        turn.token("Bye.");
        turn.control({ event: "transfer", to: COLLEAGUE });
      } else if (query === "DTMF: 8#") {
        turn.control({ event: "transfer", to: "extension 12" });
      } else if (query === "DTMF: 7#") {
        turn.control({ event: "transfer", to: "+99912345678", mode: "warm", whisper: "Nobody." });
      } else if (query === "DTMF: 6#") {
        turn.token("Wait.");
        const to = TOLD_FIRST[sessionId] ?? "";
        turn.control({ event: "transfer", to, mode: "warm", whisper: WHISPER });
      } else if (query.startsWith("TRANSFER FAILED")) turn.token(`No: ${query.slice(17)}.`);
      else turn.token("All right.");
      turn.done();
    },
  });
  telephony = carriers.telephony;
});
afterAll(() => carriers.close());

let colleagues = 0;

/** The agent asks for a warm transfer to somebody new; gives the leg that rings. */
async function rung({ company }: Row, sessionId: string, phone: FakePhone): Promise<FakeCall> {
  colleagues += 1;
  const to = `+1202557${String(colleagues).padStart(4, "0")}`;
  TOLD_FIRST[sessionId] = to;
  phone.press("6#");
  await vi.waitFor(() => expect(company.isRung(to)).toBe(true), SOON_MS);
  return company.call(to);
}

describe.concurrent.each(ACCOUNT_CARRIERS)("by %s", (name) => {
  describe("a phone call", { concurrent: false, timeout: 240_000 }, () => {
    it("that is transferred over REST ends as transferred, and not when somebody else's leg does", async () => {
      const row = carriers.row(name);
      const { sessionId, call } = await carriers.talking(row);
      const stranger = { ...call, callSid: "another-leg" };
      row.company.carrier.calls.set(stranger.callSid, stranger);
      expect(await post(await row.company.carrier.sign(stranger.callSid, ENDED))).toBe(200);
      const asked = await telephony.request("POST", `/api/sessions/${sessionId}/transfer`, { to: COLLEAGUE });
      expect(asked.status).toBe(200);
      await row.company.handsOver(call, COLLEAGUE);
      expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "transferred" });
      expect(call.state).toBe("answered");
    });

    it("whose transfer nobody takes comes back to its agent, who says so, and does not start again", async () => {
      const row = carriers.row(name);
      const { sessionId, call, phone } = await carriers.talking(row);
      phone.press("9#");
      const back = await row.company.comesBack(call, COLLEAGUE, "busy");
      await carriers.said(sessionId, "No: busy.");
      back.press("1#");
      await carriers.said(sessionId, "All right.");
      expect(await timesRecorded(telephony.api.database, sessionId, "call.started")).toBe(1);
      expect([...phone.faults, ...back.faults]).toEqual([]);
      back.press("0#");
      const record = await telephony.untilStatus(sessionId, "completed");
      expect(record).toMatchObject({ endReason: "agent_end_call" });
      expect(record.transcript.filter(({ text }) => text.includes("TRANSFER"))).toEqual([]);
    });

    it("whose caller gives up while a colleague's phone rings is over, and was not transferred", async () => {
      const row = carriers.row(name);
      const { sessionId, call, phone } = await carriers.talking(row);
      phone.press("9#");
      await vi.waitFor(() => expect(call.transferredTo).toBe(COLLEAGUE), SOON_MS);
      phone.hangUp();
      await row.company.carrier.tell(call.callSid, ENDED);
      expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({ endReason: null });
    });

    it("whose agent is refused a transfer is told at once: a number that is none, one the carrier does not call", async () => {
      const { sessionId, call, phone } = await carriers.talking(carriers.row(name));
      phone.press("8#");
      await carriers.said(sessionId, "No: invalid.");
      phone.press("7#");
      await carriers.said(sessionId, "No: refused.");
      expect(call.transferredTo).toBeUndefined();
      phone.press("0#");
      await telephony.untilStatus(sessionId, "completed");
    });

    it("is joined with who was told of it first, while the caller hears it ring", async () => {
      const row = carriers.row(name);
      const { sessionId, call, phone } = await carriers.talking(row);
      const target = await rung(row, sessionId, phone);
      const heardBefore = phone.heard.length;
      await vi.waitFor(() => expect(phone.heard.slice(heardBefore).some(isLoud)).toBe(true), SOON_MS);
      await row.company.carrier.tell(target.callSid, { type: "answered" });
      await vi.waitFor(() => expect(target.whisper?.text).toBe(WHISPER), SOON_MS);
      expect(call.room).toBeUndefined();
      await row.company.carrier.tell(target.callSid, { type: "whispered" });
      expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "transferred" });
      expect([call.room, call.state, target.state]).toEqual([target.room, "answered", "answered"]);
      expect(call.room).toBeDefined();
    });

    it("stays with its agent when who was told of it hangs up, or does not answer", async () => {
      const row = carriers.row(name);
      const { sessionId, call, phone } = await carriers.talking(row);
      const first = await rung(row, sessionId, phone);
      await row.company.carrier.tell(first.callSid, { type: "answered" });
      await vi.waitFor(() => expect(first.whisper?.text).toBe(WHISPER), SOON_MS);
      await row.company.carrier.tell(first.callSid, ENDED);
      await carriers.said(sessionId, "No: declined.");
      const second = await rung(row, sessionId, phone);
      await row.company.carrier.tell(second.callSid, { type: "ended", status: "busy" });
      await carriers.said(sessionId, "No: busy.");
      expect(call.room).toBeUndefined();
      phone.press("0#");
      expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({
        endReason: "agent_end_call",
      });
    });

    it("that ends while somebody is rung for it hangs that phone up", async () => {
      const row = carriers.row(name);
      const { sessionId, call, phone } = await carriers.talking(row);
      const target = await rung(row, sessionId, phone);
      phone.hangUp();
      await row.company.carrier.tell(call.callSid, ENDED);
      await telephony.untilStatus(sessionId, "completed");
      await vi.waitFor(() => expect(target.state).toBe("ended"), SOON_MS);
    });

    it("is transferred once at a time", async () => {
      const row = carriers.row(name);
      const { sessionId, call } = await carriers.talking(row);
      const ask = () => telephony.request("POST", `/api/sessions/${sessionId}/transfer`, { to: COLLEAGUE });
      const race = await Promise.all([ask(), ask(), ask()]);
      expect(race.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      await row.company.handsOver(call, COLLEAGUE);
      await telephony.untilStatus(sessionId, "completed");
    });
  });
});
