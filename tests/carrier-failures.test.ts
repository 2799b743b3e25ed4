import { randomBytes } from "node:crypto";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { SignedCallback } from "../testkit/fakes/carriers/fake-carrier.ts";
import type { FakePhone } from "../testkit/fakes/phones/phone.ts";
import { OURS, TestPhoneCompanies } from "../testkit/phone-companies.ts";
import { TestTelephony } from "../testkit/telephony.ts";

const RINGING = { type: "ringing" } as const;
const ANSWERED = { type: "answered" } as const;
const ENDED = { type: "ended", status: "completed" } as const;
const SOON_MS = 90_000;
const secretsKey = `test:${randomBytes(32).toString("base64")}`;

let telephony: TestTelephony;
let companies: TestPhoneCompanies;
let dialed = 0;

beforeAll(async () => {
  // No carrier is bound to say that a mark was played: none of these does.
  companies = await TestPhoneCompanies.start({ forgetsMarks: true });
  telephony = await TestTelephony.start({
    secretsKey,
    apiEnv: companies.apiEnv,
    env: { RESUME_WINDOW_MS: "1500" },
    settings: { firstResponse: "Hello, this is the agent." },
    brain: (turn) => {
      turn.token("All right.");
      turn.done();
    },
  });
  await companies.connectTo(telephony, secretsKey);
});
afterAll(async () => {
  await telephony.close();
  await companies.close();
});

async function dial(name: AccountCarrierName) {
  dialed += 1;
  const company = companies.of(name);
  const to = `+1202556${6_000 + dialed}`;
  const { sessionId } = await telephony.dial(to, { fromNumber: OURS[name] });
  const call = company.call(to);
  const sign = (moment: Parameters<typeof company.carrier.sign>[1]) =>
    company.carrier.sign(call.callSid, moment);
  return { sessionId, call, company, sign };
}

async function post({ url, method, headers, body }: SignedCallback): Promise<number> {
  return (await fetch(url, { method, headers, body })).status;
}

async function greeted(phone: FakePhone): Promise<void> {
  await vi.waitFor(() => expect(phone.playedMarks.length).toBe(1), SOON_MS);
}

/** How a call went, in the events that were written down of it. */
async function eventsOf(sessionId: string): Promise<string[]> {
  const rows = await telephony.api.database.db
    .selectFrom("call_events")
    .select("type")
    .where("session_id", "=", sessionId)
    .orderBy("seq")
    .execute();
  return rows.map(({ type }) => type);
}

async function countOf(sessionId: string, type: string): Promise<number> {
  return (await eventsOf(sessionId)).filter((one) => one === type).length;
}

describe.concurrent.each(ACCOUNT_CARRIERS)("by %s", (name) => {
  describe("a call", { concurrent: false }, () => {
    it("goes on when no mark comes back: what was spoken counts by the clock", async () => {
      const { sessionId, call, company } = await dial(name);
      const phone = await company.pickUp(call);
      await greeted(phone);
      phone.press("5#");
      await vi.waitFor(() => expect(phone.playedMarks.length).toBe(2), SOON_MS);
      phone.hangUp();
      const record = await telephony.untilStatus(sessionId, "completed");
      expect(record.transcript.map(({ text, interrupted }) => [text, interrupted])).toEqual([
        ["Hello, this is the agent.", false],
        ["DTMF: 5#", false],
        ["All right.", false],
      ]);
    });

    it("whose media breaks for good ends once, whatever its carrier tells then", async () => {
      const { sessionId, call, company, sign } = await dial(name);
      const phone = await company.pickUp(call);
      await greeted(phone);
      phone.drop();
      const record = await telephony.untilStatus(sessionId, "completed");
      expect(record.endReason).toBeNull();
      // We hang up what is left of it.
      await vi.waitFor(() => expect(call.state).toBe("ended"), SOON_MS);
      for (const moment of [ENDED, { type: "ended", status: "failed" } as const])
        expect(await post(await sign(moment))).toBe(200);
      expect((await telephony.record(sessionId)).status).toBe("completed");
      expect(await countOf(sessionId, "call.ended")).toBe(1);
    });

    it("that its carrier fails in the middle of is recorded as failed, once", async () => {
      const { sessionId, call, company, sign } = await dial(name);
      const phone = await company.pickUp(call);
      await greeted(phone);
      const failed = { type: "ended", status: "failed" } as const;
      expect(await post(await sign(failed))).toBe(200);
      const record = await telephony.untilStatus(sessionId, "failed");
      expect(record.endReason).toBe("carrier_failed");
      for (const moment of [failed, ENDED]) expect(await post(await sign(moment))).toBe(200);
      expect((await telephony.record(sessionId)).status).toBe("failed");
      expect(await countOf(sessionId, "call.ended")).toBe(1);
    });

    it.each(["busy", "no-answer", "canceled"] as const)(
      "that its carrier says is %s in the middle of it is completed, once",
      async (status) => {
        const { sessionId, call, company, sign } = await dial(name);
        const phone = await company.pickUp(call);
        await greeted(phone);
        expect(await post(await sign({ type: "ended", status }))).toBe(200);
        const record = await telephony.untilStatus(sessionId, "completed");
        expect(record.endReason).toBeNull();
        for (const moment of [{ type: "ended", status } as const, ENDED])
          expect(await post(await sign(moment))).toBe(200);
        expect((await telephony.record(sessionId)).status).toBe("completed");
        expect(await countOf(sessionId, "call.started")).toBe(1);
        expect(await countOf(sessionId, "call.ended")).toBe(1);
      },
    );

    it("is not confused by what comes out of order, twice, or after its end", async () => {
      const { sessionId, call, company, sign } = await dial(name);
      const late = await sign(RINGING);
      const phone = await company.pickUp(call);
      await greeted(phone);
      expect(await post(late)).toBe(200);
      expect((await telephony.record(sessionId)).status).toBe("in-progress");
      for (const moment of [RINGING, ANSWERED, ANSWERED]) expect(await post(await sign(moment))).toBe(200);
      expect((await telephony.record(sessionId)).status).toBe("in-progress");
      const ends = await Promise.all([sign(ENDED), sign(ENDED), sign({ type: "ended", status: "busy" })]);
      expect(await Promise.all(ends.map(post))).toEqual([200, 200, 200]);
      const { status } = await telephony.untilStatus(sessionId, "completed");
      for (const moment of [RINGING, ANSWERED, ENDED]) expect(await post(await sign(moment))).toBe(200);
      expect((await telephony.record(sessionId)).status).toBe(status);
      const events = await eventsOf(sessionId);
      expect(events.filter((type) => type === "call.started" || type === "call.ended")).toEqual([
        "call.started",
        "call.ended",
      ]);
    });

    it("that ended before it was told to ring keeps its end", async () => {
      const { sessionId, sign } = await dial(name);
      expect(await post(await sign({ type: "ended", status: "busy" }))).toBe(200);
      await telephony.untilStatus(sessionId, "busy");
      for (const moment of [RINGING, ANSWERED, ENDED]) expect(await post(await sign(moment))).toBe(200);
      const record = await telephony.record(sessionId);
      expect(record).toMatchObject({ status: "busy", startTime: null });
      expect(await eventsOf(sessionId)).toEqual(["call.ended"]);
    });

    it("is over at the carrier before we hang up: that is no fault of ours", async () => {
      const { sessionId, call, company } = await dial(name);
      const phone = await company.pickUp(call);
      await greeted(phone);
      call.state = "ended";
      const before = company.carrier.requests.length;
      expect((await telephony.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
      await telephony.untilStatus(sessionId, "completed");
      await vi.waitFor(() => expect(company.carrier.requests.length).toBeGreaterThan(before), SOON_MS);
      await telephony.record(sessionId);
      const warnings = telephony.api.logged.filter(
        (line) => line.includes(sessionId) && line.includes("not hung up"),
      );
      expect(warnings).toEqual([]);
    });
  });
});
