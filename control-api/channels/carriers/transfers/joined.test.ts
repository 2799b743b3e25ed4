import { randomBytes } from "node:crypto";
import { request } from "@parley/shared/bus/request-reply.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { FakeCall, Moment } from "../../../../testkit/fakes/carriers/fake-carrier.ts";
import type { FakePhone } from "../../../../testkit/fakes/phones/phone.ts";
import { FaultyBus } from "../../../../testkit/faulty-bus.ts";
import { OURS, TestPhoneCompanies } from "../../../../testkit/phone-companies.ts";
import type { TestPhoneCompany } from "../../../../testkit/phone-company.ts";
import { TestTelephony } from "../../../../testkit/telephony.ts";

const secretsKey = `test:${randomBytes(32).toString("base64")}`;
const faulty = new FaultyBus();
let telephony: TestTelephony;
let companies: TestPhoneCompanies;
let dialed = 0;

function nextNumber(): string {
  dialed += 1;
  return `+1202556${6_000 + dialed}`;
}

beforeAll(async () => {
  companies = await TestPhoneCompanies.start();
  telephony = await TestTelephony.start({
    secretsKey,
    apiEnv: companies.apiEnv,
    apiBus: (bus) => faulty.wrap(bus),
    brain: (turn) => {
      if (turn.request.query === "DTMF: 0#") turn.control({ event: "call_end", farewell: "Goodbye." });
      else turn.token("All right.");
      turn.done();
    },
  });
  await companies.connectTo(telephony, secretsKey);
});
afterAll(async () => {
  await telephony.close();
  await companies.close();
});

interface WarmTransfer {
  readonly company: TestPhoneCompany;
  readonly sessionId: string;
  readonly call: FakeCall;
  readonly phone: FakePhone;
  /** The leg of who takes over. */
  readonly target: FakeCall;
  /** The carrier tells something of a leg; the leg does not change by it. */
  tell(leg: FakeCall, moment: Moment): Promise<void>;
}

/** A warm transfer whose target has answered and hears the whisper. */
async function warmTransfer(name: AccountCarrierName): Promise<WarmTransfer> {
  const company = companies.of(name);
  const [to, colleague] = [nextNumber(), nextNumber()];
  const { sessionId } = await telephony.dial(to, { fromNumber: OURS[name] });
  const call = company.call(to);
  const phone = await company.pickUp(call);
  await telephony.untilStatus(sessionId, "in-progress");
  const order = { to: colleague, mode: "warm", whisper: "Ada, about her order." };
  expect((await telephony.request("POST", `/api/sessions/${sessionId}/transfer`, order)).status).toBe(200);
  const target = company.call(colleague);
  await company.carrier.tell(target.callSid, { type: "answered" });
  await expect.poll(() => target.whisper?.text).toBe(order.whisper);
  const tell = async ({ callSid }: FakeCall, moment: Moment): Promise<void> => {
    const { url, method, headers, body } = await company.carrier.sign(callSid, moment);
    // What has neither time nor nonce is known by its signature (Twilio): that it was told before.
    expect([200, 401]).toContain((await fetch(url, { method, headers, body })).status);
  };
  return { company, sessionId, call, phone, target, tell };
}

/** Who took over has heard the whisper, and is with the caller. */
async function join({ company, target, call, phone }: WarmTransfer): Promise<void> {
  await company.carrier.tell(target.callSid, { type: "whispered" });
  // Who is asked what to do is asked a moment after the command.
  await expect.poll(() => call.room).toBeDefined();
  expect([call.room, call.state, target.state]).toEqual([target.room, "answered", "answered"]);
  // The carrier takes its media away from us.
  phone.hangUp();
}

/** The carrier joins them, and never says so. */
async function joinUnheard({ company, target, call }: WarmTransfer): Promise<void> {
  company.carrier.fault = "mute";
  await company.carrier.tell(target.callSid, { type: "whispered" });
  company.carrier.fault = undefined;
  await expect.poll(() => call.room).toBeDefined();
}

type Unheard = WarmTransfer & { readonly from: number };
let unheard: Promise<ReadonlyMap<AccountCarrierName, Unheard>> | undefined;

/** Of every carrier at once: it takes 15 s until a caller's media that stays away shows it. */
async function joinedUnheard(name: AccountCarrierName): Promise<Unheard> {
  unheard ??= Promise.all(ACCOUNT_CARRIERS.map(warmTransfer)).then(async (transfers) => {
    const joined = transfers.map(async (one) => {
      const from = one.company.carrier.requests.length;
      await joinUnheard(one);
      // Telnyx says so, with the others the caller's media is gone.
      if (one.company.name === "telnyx")
        await one.company.carrier.tell(one.call.callSid, { type: "bridged" });
      one.phone.hangUp();
      return [one.company.name, { ...one, from }] as const;
    });
    return new Map(await Promise.all(joined));
  });
  const found = (await unheard).get(name);
  if (!found) throw new Error(`${name} joined nobody`);
  return found;
}

/** What the carrier was asked to do since `from`, but for taking our media away. */
function asked({ carrier }: TestPhoneCompany, from: number): string[] {
  return carrier.requests
    .slice(from)
    .map(({ method, path, body }) => `${method} ${path} ${body}`)
    .filter((line) => !line.includes("streaming_stop"));
}

function talkOn({ company, call, target }: WarmTransfer, from: number): void {
  expect([call.state, target.state]).toEqual(["answered", "answered"]);
  expect(asked(company, from)).toEqual([]);
}

/** What was recorded of the end is dealt with: another call's has been, behind it. */
async function untilDealtWith(name: AccountCarrierName): Promise<void> {
  const to = nextNumber();
  const { sessionId } = await telephony.dial(to, { fromNumber: OURS[name] });
  const company = companies.of(name);
  const call = company.call(to);
  await company.pickUp(call);
  await telephony.untilStatus(sessionId, "in-progress");
  expect((await telephony.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
  await expect.poll(() => call.state, { timeout: 90_000 }).toBe("ended");
}

const endOf = async (sessionId: string) => (await telephony.record(sessionId)).endReason;

describe.each(ACCOUNT_CARRIERS)("two people who were joined by %s", (name) => {
  it("talk on whatever is told late, or twice, of either leg", async () => {
    const joined = await warmTransfer(name);
    const { company, sessionId, call, target, tell } = joined;
    await join(joined);
    const from = company.carrier.requests.length;
    await telephony.untilStatus(sessionId, "completed");
    for (const moment of [
      { type: "answered" },
      { type: "whispered" },
      { type: "ended", status: "no-answer" },
      { type: "ended", status: "completed" },
    ] as const)
      await tell(target, moment);
    for (const moment of [{ type: "ringing" }, { type: "answered" }] as const) await tell(call, moment);
    expect(await endOf(sessionId)).toBe("transferred");
    talkOn(joined, from);
  });

  it("talk on when our own record of it cannot be written", async () => {
    const joined = await warmTransfer(name);
    const { company, sessionId, target, tell } = joined;
    const { db } = telephony.api.database;
    const rule = sql.id(`no_end_of_${sessionId}`);
    await sql`alter table calls add constraint ${rule}
      check (session_id <> ${sql.lit(sessionId)} or transfer_state <> 'joined') not valid`.execute(db);
    const drop = () => sql`alter table calls drop constraint if exists ${rule}`.execute(db);
    onTestFinished(async () => void (await drop()));
    await join(joined);
    const from = company.carrier.requests.length;
    await drop();
    for (const type of ["answered", "whispered"] as const) await tell(target, { type });
    // The gateway's clock says so when nobody else does.
    const order = { command: "end", reason: "transferred" };
    const question = { payload: JSON.stringify(order), deadlineMs: 3_000, clock: systemClock };
    const { channels } = telephony.api.bus;
    expect(await request(channels, commandChannel(sessionId), question)).toBe('{"ok":true}');
    await telephony.untilStatus(sessionId, "completed");
    const state = async () =>
      (
        await db.selectFrom("calls").select("transfer_state").where("session_id", "=", sessionId).execute()
      )[0];
    await expect.poll(state).toEqual({ transfer_state: "joined" });
    const since = [from, company.carrier.requests.length] as const;
    await untilDealtWith(name);
    expect(asked(company, since[0]).slice(0, since[1] - since[0])).toEqual([]);
    expect([joined.call.state, target.state]).toEqual(["answered", "answered"]);
  });

  it("talk on when the call ends otherwise before its gateway hears of it: the agent hangs up", async () => {
    const joined = await warmTransfer(name);
    const { company, sessionId, target, phone } = joined;
    faulty.isAwayFor = ({ channel, payload }) =>
      channel === commandChannel(sessionId) && payload.includes("transferred");
    await company.carrier.tell(target.callSid, { type: "whispered" });
    faulty.isAwayFor = () => false;
    await expect.poll(() => joined.call.room).toBeDefined();
    phone.drop();
    const order = { payload: JSON.stringify({ command: "end", reason: "agent_end_call" }) };
    const question = { ...order, deadlineMs: 3_000, clock: systemClock };
    const { channels } = telephony.api.bus;
    expect(await request(channels, commandChannel(sessionId), question)).toBe('{"ok":true}');
    await telephony.untilStatus(sessionId, "completed");
    await untilDealtWith(name);
    expect([joined.call.state, target.state]).toEqual(["answered", "answered"]);
  });
});

describe.each(ACCOUNT_CARRIERS)("two people whom %s joined without our hearing of it", (name) => {
  it("talk on, and the call ends as transferred once that shows", async () => {
    const { from, ...joined } = await joinedUnheard(name);
    const { company, sessionId, call, target } = joined;
    expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "transferred" });
    expect([call.room, call.state, target.state]).toEqual([target.room, "answered", "answered"]);
    expect(asked(company, from)).toHaveLength(1);
    const { db } = telephony.api.database;
    const state = () =>
      db.selectFrom("calls").select("transfer_state").where("session_id", "=", sessionId).execute();
    await expect.poll(state).toEqual([{ transfer_state: "joined" }]);
  });
});

describe.each(ACCOUNT_CARRIERS)("who has heard the whisper, where %s did not hear our answer", (name) => {
  it("is sent to the caller when the carrier asks again", async () => {
    const joined = await warmTransfer(name);
    const { company, call, phone, target, tell } = joined;
    await tell(target, { type: "whispered" });
    await expect.poll(() => call.room).toBeDefined();
    phone.hangUp();
    await company.carrier.tell(target.callSid, { type: "whispered" });
    expect([target.room, call.state, target.state]).toEqual([call.room, "answered", "answered"]);
  });
});

describe("who was to take a call over that its carrier may have joined, and has not", () => {
  it("is turned away as soon as the carrier refuses, however late, and the agent is told", async () => {
    const { company, sessionId, target } = await warmTransfer("twilio");
    const late = Promise.withResolvers<void>();
    company.carrier.fault = { status: 404, until: late.promise };
    // Answered when we have given up waiting for the carrier.
    await company.carrier.tell(target.callSid, { type: "whispered" });
    company.carrier.fault = undefined;
    expect(target.state).toBe("answered");
    late.resolve();
    await expect.poll(() => target.state, { timeout: 90_000 }).toBe("ended");
    const told = () => telephony.brain.turns.map(({ request }) => `${request.sessionId} ${request.query}`);
    await expect.poll(told, { timeout: 90_000 }).toContain(`${sessionId} TRANSFER FAILED: failed`);
  });

  it("is turned away once the caller has stayed, who is with the agent again", async () => {
    const { company, sessionId, call, target } = await warmTransfer("twilio");
    company.carrier.fault = { status: 502 };
    await company.carrier.tell(target.callSid, { type: "whispered" });
    company.carrier.fault = undefined;
    expect(target.state).toBe("answered");
    await expect.poll(() => target.state, { timeout: 90_000 }).toBe("ended");
    expect([call.state, call.room]).toEqual(["answered", undefined]);
    const { brain } = telephony;
    expect(
      brain.turns.filter(({ request: { query, sessionId: of } }) => of === sessionId && query !== ""),
    ).toMatchObject([{ request: { query: "TRANSFER FAILED: no-answer" } }]);
    expect(await telephony.record(sessionId)).toMatchObject({ status: "in-progress" });
  });
});
