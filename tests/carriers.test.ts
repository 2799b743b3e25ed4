import type { FakeCall, SignedCallback } from "@parley/control-api/carriers/fakes/fake-carrier.ts";
import { type FakeDeepgram, startFakeDeepgram } from "@parley/media/fakes/deepgram.ts";
import { createFliteVoice, createScriptedRecogniser } from "@parley/media/fakes/fake-speech.ts";
import type { FakePhone } from "@parley/media/fakes/phones/phone.ts";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/carriers.ts";
import type { PlacedCall } from "@parley/shared/contracts/telephony.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestCallee } from "./support/callee.ts";
import { TestCaller } from "./support/caller.ts";
import { TestPerson } from "./support/person.ts";
import { TestPhoneCompany } from "./support/phone-company.ts";
import { LOUD, loudness } from "./support/softphones.ts";
import { flite } from "./support/speech.ts";
import { TestTelephony } from "./support/telephony.ts";

const COLLEAGUE = "+12025550190";
const SAID = "Tell me everything.";
const WHISPER = "Ada & her order: she's waiting.";
/** Whom each call is handed over to by a colleague who is told first. */
const TOLD_FIRST: Record<string, string> = {};
const OURS: Readonly<Record<AccountCarrierName, string>> = {
  twilio: "+12025550131",
  telnyx: "+12025550132",
  plivo: "+12025550133",
  vonage: "+12025550134",
};

interface Row {
  readonly name: AccountCarrierName;
  readonly company: TestPhoneCompany;
  readonly connectionId: string;
  readonly fromNumberId: string;
}

let telephony: TestTelephony;
let vendor: FakeDeepgram;
const rows = new Map<AccountCarrierName, Row>();

beforeAll(async () => {
  vendor = await startFakeDeepgram({
    apiKey: "key",
    voice: createFliteVoice(),
    recogniser: createScriptedRecogniser([SAID]),
  });
  const companies = await Promise.all(ACCOUNT_CARRIERS.map((name) => TestPhoneCompany.start(name)));
  telephony = await TestTelephony.start({
    env: { DEEPGRAM_API_KEY: "key", DEEPGRAM_URL: vendor.url },
    apiEnv: Object.fromEntries(
      companies.map(({ name, carrier }) => [`${name.toUpperCase()}_API_URL`, carrier.url]),
    ),
    settings: { firstResponse: "Hello, this is the agent.", stt: [{ vendor: "deepgram" }] },
    brain: (turn) => {
      const { query } = turn.request;
      if (query === "DTMF: 0#") turn.control({ event: "call_end", farewell: "Goodbye." });
      else if (query === "DTMF: 9#") {
        turn.token("I put you through.");
        turn.control({ event: "transfer", to: COLLEAGUE });
      } else if (query === "DTMF: 8#") {
        turn.control({ event: "transfer", to: "extension 12" });
      } else if (query === "DTMF: 7#") {
        turn.control({ event: "transfer", to: "+99912345678", mode: "warm", whisper: "Nobody." });
      } else if (query === "DTMF: 6#") {
        turn.token("One moment.");
        turn.control({
          event: "transfer",
          to: TOLD_FIRST[turn.request.sessionId] ?? "",
          mode: "warm",
          whisper: WHISPER,
        });
      } else if (query.startsWith("TRANSFER FAILED")) turn.token(`It did not work: ${query.slice(17)}.`);
      else turn.token("All right.");
      turn.done();
    },
  });
  const owner = await ownerOf(telephony);
  for (const company of companies) rows.set(company.name, await connect(company, owner));
});
afterAll(async () => {
  await telephony.close();
  for (const { company } of rows.values()) await company.close();
  await vendor.close();
});

async function ownerOf({ api, organization: { orgId } }: TestTelephony): Promise<TestPerson> {
  const person = await TestPerson.registerVerified(api);
  const membership = { org_id: orgId, user_id: person.userId, role: "owner" } as const;
  await api.database.db.insertInto("memberships").values(membership).execute();
  return person;
}

/** As people do it: the account on the page, then a number of it that the agent answers. */
async function connect(company: TestPhoneCompany, owner: TestPerson): Promise<Row> {
  const { orgId, agentId } = telephony.organization;
  const { name, credentials } = company;
  const body = { carrier: name, credentials };
  const connected = await owner.call("POST", `/api/orgs/${orgId}/carriers`, body, orgId);
  expect(connected.status).toBe(201);
  const number = { number: OURS[name], carrier: name, agentId };
  const added = await telephony.request("POST", "/api/v1/numbers", number);
  expect(added.status).toBe(201);
  const connectionId = (connected.body.data as { id: string }).id;
  return { name, company, connectionId, fromNumberId: added.body.id as string };
}

function rowOf(name: AccountCarrierName): Row {
  const row = rows.get(name);
  if (!row) throw new Error(`${name} is not connected`);
  return row;
}

let dialled = 0;

/** Places a call to a number of its own. */
async function dial({ company, fromNumberId }: Row, more: Record<string, unknown> = {}) {
  dialled += 1;
  const to = `+1202556${String(dialled).padStart(4, "0")}`;
  const placed: PlacedCall = await telephony.dial(to, { fromNumberId, ...more });
  return { ...placed, call: company.call(to) };
}

function webhookOf({ connectionId }: Row): string {
  return `${telephony.api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`;
}

/** A call that is being talked in. */
async function talking(row: Row) {
  const placed = await dial(row);
  const phone = await row.company.pickUp(placed.call);
  await greeted(phone);
  return { ...placed, phone };
}

async function greeted(phone: FakePhone): Promise<void> {
  await expect.poll(() => phone.playedMarks.length, { timeout: 15_000 }).toBe(1);
  expect(phone.heard.some((frame) => frame.some((sample) => Math.abs(sample) > 1_000))).toBe(true);
}

/** Hears the ring-back tone, and no agent. */
async function rings(phone: FakePhone): Promise<void> {
  const loudest = () => loudness(Int16Array.from(phone.heard.flatMap((frame) => [...frame])));
  await expect.poll(loudest, { timeout: 15_000 }).toBeGreaterThan(LOUD);
  expect(phone.playedMarks).toEqual([]);
}

const isLoud = (frame: Int16Array): boolean => frame.some((sample) => Math.abs(sample) > 1_000);

/** The agent has said it, and the caller has heard it. */
async function said(sessionId: string, text: string): Promise<void> {
  const transcript = async () => (await telephony.record(sessionId)).transcript.map((line) => line.text);
  await expect.poll(transcript, { timeout: 15_000 }).toContain(text);
}

let colleagues = 0;

/** The agent asks for a warm transfer to somebody new; gives the leg that rings. */
async function rung({ company }: Row, sessionId: string, phone: FakePhone): Promise<FakeCall> {
  colleagues += 1;
  const to = `+1202557${String(colleagues).padStart(4, "0")}`;
  TOLD_FIRST[sessionId] = to;
  phone.press("6#");
  await expect.poll(() => company.isRung(to), { timeout: 15_000 }).toBe(true);
  return company.call(to);
}

async function startsOf(sessionId: string): Promise<number> {
  const started = await telephony.api.database.db
    .selectFrom("call_events")
    .select("id")
    .where("session_id", "=", sessionId)
    .where("type", "=", "call.started")
    .execute();
  return started.length;
}

async function post({ url, method, headers, body }: SignedCallback): Promise<number> {
  return (await fetch(url, { method, headers, body })).status;
}

describe.each(ACCOUNT_CARRIERS)("a phone call by %s", (name) => {
  it("is greeted, talked through, handed over by its agent, and goes on without us", async () => {
    const row = rowOf(name);
    const { sessionId, call, callSid, fromNumber, toNumber, phone } = await talking(row);
    expect(callSid).toBe(call.callSid);
    await phone.speak(await flite("Tell me everything"));
    await expect.poll(() => phone.playedMarks.length, { timeout: 15_000 }).toBe(2);
    phone.press("9#");
    await row.company.handsOver(call, COLLEAGUE);
    const record = await telephony.untilStatus(sessionId, "completed");
    expect(record).toMatchObject({ endReason: "transferred", direction: "outbound", fromNumber, toNumber });
    expect(record.transcript.map(({ text }) => text)).toEqual([
      "Hello, this is the agent.",
      SAID,
      "All right.",
      "DTMF: 9#",
      "I put you through.",
    ]);
    expect(phone.faults).toEqual([]);
    expect(call.state).toBe("answered");
  }, 60_000);

  it("that is transferred over REST ends as transferred, and not when somebody else's leg does", async () => {
    const row = rowOf(name);
    const { sessionId, call } = await talking(row);
    const stranger = { ...call, callSid: "another-leg" };
    row.company.carrier.calls.set(stranger.callSid, stranger);
    expect(await post(await row.company.carrier.sign(stranger.callSid, ENDED))).toBe(200);
    const asked = await telephony.request("POST", `/api/sessions/${sessionId}/transfer`, { to: COLLEAGUE });
    expect(asked.status).toBe(200);
    await row.company.handsOver(call, COLLEAGUE);
    expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "transferred" });
    expect(call.state).toBe("answered");
  }, 60_000);

  it("whose transfer nobody takes comes back to its agent, who says so, and does not start again", async () => {
    const row = rowOf(name);
    const { sessionId, call, phone } = await talking(row);
    phone.press("9#");
    const back = await row.company.comesBack(call, COLLEAGUE, "busy");
    await said(sessionId, "It did not work: busy.");
    back.press("1#");
    await said(sessionId, "All right.");
    expect(await startsOf(sessionId)).toBe(1);
    expect([...phone.faults, ...back.faults]).toEqual([]);
    back.press("0#");
    const record = await telephony.untilStatus(sessionId, "completed");
    expect(record).toMatchObject({ endReason: "agent_end_call" });
    expect(record.transcript.filter(({ text }) => text.includes("TRANSFER"))).toEqual([]);
  }, 60_000);

  it("whose caller gives up while a colleague's phone rings is over, and was not transferred", async () => {
    const row = rowOf(name);
    const { sessionId, call, phone } = await talking(row);
    phone.press("9#");
    await expect.poll(() => call.transferredTo, { timeout: 15_000 }).toBe(COLLEAGUE);
    phone.hangUp();
    await row.company.carrier.tell(call.callSid, ENDED);
    expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({ endReason: null });
  }, 60_000);

  it("whose agent is refused a transfer is told at once: a number that is none, one the carrier does not call", async () => {
    const { sessionId, call, phone } = await talking(rowOf(name));
    phone.press("8#");
    await said(sessionId, "It did not work: invalid.");
    phone.press("7#");
    await said(sessionId, "It did not work: refused.");
    expect(call.transferredTo).toBeUndefined();
    phone.press("0#");
    await telephony.untilStatus(sessionId, "completed");
  }, 60_000);

  it("is joined with who was told of it first, while the caller hears it ring", async () => {
    const row = rowOf(name);
    const { sessionId, call, phone } = await talking(row);
    const target = await rung(row, sessionId, phone);
    const heardBefore = phone.heard.length;
    await expect.poll(() => phone.heard.slice(heardBefore).some(isLoud), { timeout: 15_000 }).toBe(true);
    await row.company.carrier.tell(target.callSid, { type: "answered" });
    await expect.poll(() => target.whisper?.text).toBe(WHISPER);
    expect(call.room).toBeUndefined();
    await row.company.carrier.tell(target.callSid, { type: "briefed" });
    expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "transferred" });
    expect([call.room, call.state, target.state]).toEqual([target.room, "answered", "answered"]);
    expect(call.room).toBeDefined();
  }, 60_000);

  it("stays with its agent when who was told of it hangs up, or does not answer", async () => {
    const row = rowOf(name);
    const { sessionId, call, phone } = await talking(row);
    const first = await rung(row, sessionId, phone);
    await row.company.carrier.tell(first.callSid, { type: "answered" });
    await expect.poll(() => first.whisper?.text).toBe(WHISPER);
    await row.company.carrier.tell(first.callSid, ENDED);
    await said(sessionId, "It did not work: declined.");
    const second = await rung(row, sessionId, phone);
    await row.company.carrier.tell(second.callSid, { type: "ended", status: "busy" });
    await said(sessionId, "It did not work: busy.");
    expect(call.room).toBeUndefined();
    phone.press("0#");
    expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({
      endReason: "agent_end_call",
    });
  }, 60_000);

  it("that ends while somebody is rung for it hangs that phone up", async () => {
    const row = rowOf(name);
    const { sessionId, call, phone } = await talking(row);
    const target = await rung(row, sessionId, phone);
    phone.hangUp();
    await row.company.carrier.tell(call.callSid, ENDED);
    await telephony.untilStatus(sessionId, "completed");
    await expect.poll(() => target.state, { timeout: 15_000 }).toBe("ended");
  }, 60_000);

  it("is transferred once at a time", async () => {
    const row = rowOf(name);
    const { sessionId, call } = await talking(row);
    const ask = () => telephony.request("POST", `/api/sessions/${sessionId}/transfer`, { to: COLLEAGUE });
    const race = await Promise.all([ask(), ask(), ask()]);
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await row.company.handsOver(call, COLLEAGUE);
    await telephony.untilStatus(sessionId, "completed");
  }, 60_000);

  it("that the agent ends is hung up at the carrier", async () => {
    const { sessionId, call, phone } = await talking(rowOf(name));
    phone.press("0#");
    await expect.poll(() => call.state, { timeout: 15_000 }).toBe("ended");
    expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({
      endReason: "agent_end_call",
    });
  }, 60_000);

  it.each([
    ["busy", "busy"],
    ["no-answer", "no_answer"],
    ["failed", "carrier_failed"],
  ] as const)("that ends %s never began", async (status, endReason) => {
    const { company, ...row } = rowOf(name);
    const { sessionId, call } = await dial({ company, ...row });
    await company.carrier.tell(call.callSid, { type: "ringing" });
    await telephony.untilStatus(sessionId, "ringing");
    await company.carrier.tell(call.callSid, { type: "ended", status });
    const record = await telephony.untilStatus(sessionId, status);
    expect(record).toMatchObject({ endReason, startTime: null, transcript: [] });
  });

  it("that a machine answers is dropped when it was placed so", async () => {
    const row = rowOf(name);
    const { sessionId, call } = await dial(row, { machineDetection: "hangup" });
    await row.company.pickUp(call);
    await row.company.carrier.tell(call.callSid, { type: "machine" });
    await expect.poll(() => call.state, { timeout: 15_000 }).toBe("ended");
    expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "amd_hangup" });
  });

  it("to a number of ours is answered by the number's agent", async () => {
    const row = rowOf(name);
    const from = "+12025550177";
    const call = await row.company.callIn({ from, to: OURS[name] }, webhookOf(row));
    const phone = await row.company.phoneOf(call);
    await greeted(phone);
    const sessionId = await sessionOf(call.callSid);
    expect(await telephony.record(sessionId)).toMatchObject({
      status: "in-progress",
      direction: "inbound",
      fromNumber: from,
      toNumber: OURS[name],
    });
    phone.press("0#");
    await expect.poll(() => call.state, { timeout: 15_000 }).toBe("ended");
    await telephony.untilStatus(sessionId, "completed");
  }, 60_000);

  it("to a member's number rings for its caller until the member answers, or declines", async () => {
    const row = rowOf(name);
    const { orgId, keys } = telephony.organization;
    const ada = await TestCallee.create(telephony.api, { orgId, key: keys.developer, carrier: name });
    const numbers = { from: "+12025550176", to: ada.number };
    const declined = await row.company.callIn(numbers, webhookOf(row));
    await rings(await row.company.phoneOf(declined));
    const path = `/api/sessions/${await sessionOf(declined.callSid)}/decline`;
    expect((await ada.call("POST", path)).status).toBe(200);
    await expect.poll(() => declined.state, { timeout: 15_000 }).toBe("ended");

    const call = await row.company.callIn(numbers, webhookOf(row));
    const phone = await row.company.phoneOf(call);
    await rings(phone);
    const sessionId = await sessionOf(call.callSid);
    const softphone = await TestCaller.start((await ada.answer(sessionId)).websocketUrl);
    await softphone.next("leg", ({ state }) => state === "live");
    await phone.speak(await flite("Is anybody there?"));
    await expect.poll(() => loudness(softphone.heard()), { timeout: 15_000 }).toBeGreaterThan(LOUD);
    softphone.send({ type: "hangup" });
    await expect.poll(() => call.state, { timeout: 15_000 }).toBe("ended");
    expect(await telephony.untilStatus(sessionId, "completed")).toMatchObject({
      channel: "softphone",
      direction: "inbound",
      fromNumber: numbers.from,
      toNumber: numbers.to,
    });
    expect(phone.faults).toEqual([]);
  }, 60_000);

  it("whose caller gives up before the agent is there is over", async () => {
    const row = rowOf(name);
    const numbers = { from: "+12025550178", to: OURS[name] };
    const call = await row.company.callIn(numbers, webhookOf(row));
    const sessionId = await sessionOf(call.callSid);
    (await row.company.phoneOf(call)).drop();
    await row.company.carrier.tell(call.callSid, ENDED);
    await expect.poll(async () => (await telephony.record(sessionId)).endTime).not.toBeNull();
  });

  it("does not change by what is forged, told again, or told of another account's call", async () => {
    const { company, ...row } = rowOf(name);
    const { sessionId, call } = await talking({ company, ...row });
    const ended = await company.carrier.sign(call.callSid, ENDED);
    expect(await post({ ...ended, body: `${ended.body} ` })).toBe(401);
    expect(await post({ ...ended, headers: { "content-type": "application/json" } })).toBe(401);
    const rings = await company.carrier.sign(call.callSid, { type: "ringing" });
    expect([await post(rings), await post(rings)]).toEqual([200, 401]);
    const other = ACCOUNT_CARRIERS.find((one) => one !== name) ?? name;
    const theirs = rowOf(other);
    const foreign = { ...(await dial(theirs)).call, callbackUrl: call.callbackUrl };
    foreign.callbackUrl = call.callbackUrl.replace(row.connectionId, theirs.connectionId);
    theirs.company.carrier.calls.set("foreign", { ...foreign, callSid: "foreign" });
    expect(await post(await theirs.company.carrier.sign("foreign", ENDED))).toBe(404);
    expect((await telephony.record(sessionId)).status).toBe("in-progress");
    expect(await post(ended)).toBe(200);
    await telephony.untilStatus(sessionId, "completed");
  }, 60_000);
});

const ENDED = { type: "ended", status: "completed" } as const;

async function sessionOf(callSid: string): Promise<string> {
  const { session_id } = await telephony.api.database.db
    .selectFrom("calls")
    .select("session_id")
    .where("call_sid", "=", callSid)
    .executeTakeFirstOrThrow();
  return session_id;
}
