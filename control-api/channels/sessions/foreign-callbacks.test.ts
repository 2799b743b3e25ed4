import { randomBytes } from "node:crypto";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import { type FakeCall, type Moment, toldAt } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { memberOnly } from "../../../testkit/members.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { TestPhoneCompany } from "../../../testkit/phone-company.ts";
import { TestTelephony } from "../../../testkit/telephony.ts";

const CALLER = "+12025550177";
const NUMBERS = {
  twilio: { ours: "+12025550131", theirs: "+12025550231" },
  telnyx: { ours: "+12025550132", theirs: "+12025550232" },
  plivo: { ours: "+12025550133", theirs: "+12025550233" },
  vonage: { ours: "+12025550134", theirs: "+12025550234" },
};
const ENDED = { type: "ended", status: "completed" } as const;
const secretsKey = `test:${randomBytes(32).toString("base64")}`;

interface Row {
  readonly name: AccountCarrierName;
  readonly company: TestPhoneCompany;
  /** The connection of the organization whose calls these are, and the one of who tries. */
  readonly ours: string;
  readonly theirs: string;
}

let telephony: TestTelephony;
let rival: TestOrganization;
const rows = new Map<AccountCarrierName, Row>();
let dialed = 0;

beforeAll(async () => {
  const companies = await Promise.all(ACCOUNT_CARRIERS.map((name) => TestPhoneCompany.start(name)));
  telephony = await TestTelephony.start({
    secretsKey,
    apiEnv: Object.fromEntries(
      companies.map(({ name, carrier }) => [`${name.toUpperCase()}_API_URL`, carrier.url]),
    ),
  });
  const { api, brain, organization } = telephony;
  rival = await api.createOrganization({ brain: { url: brain.url } });
  for (const { orgId } of [organization, rival]) await memberOnly(api, orgId, "owner");
  for (const company of companies) {
    const { name, credentials } = company;
    const connect = async ({ orgId, agentId }: TestOrganization, number: string): Promise<string> => {
      const account = { orgId, carrier: name, credentials, number, secretsKey };
      const connectionId = await connectAccount(api.database, account);
      const numbers = api.database.db.updateTable("phone_numbers").set({ agent_id: agentId });
      await numbers.where("org_id", "=", orgId).where("number", "=", number).execute();
      return connectionId;
    };
    const ours = await connect(organization, NUMBERS[name].ours);
    rows.set(name, { name, company, ours, theirs: await connect(rival, NUMBERS[name].theirs) });
  }
});
afterAll(async () => {
  await telephony.close();
  for (const { company } of rows.values()) await company.close();
});

const webhookOf = (connectionId: string): string =>
  `${telephony.api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`;

async function dial({ name, company }: Row, { orgId, agentId, keys } = telephony.organization) {
  dialed += 1;
  const to = `+1202556${6_000 + dialed}`;
  const isRival = orgId === rival.orgId;
  const body = { agentId, to, fromNumber: NUMBERS[name][isRival ? "theirs" : "ours"] };
  const answer = await telephony.api.call("POST", "/api/sessions/initiate-call", {
    key: keys.developer,
    body,
  });
  expect(answer.status).toBe(200);
  return { ...(answer.body.data as { sessionId: string }), call: company.call(to) };
}

/** A call that is being talked in. */
async function talking(row: Row) {
  const placed = await dial(row);
  await row.company.pickUp(placed.call);
  await telephony.untilStatus(placed.sessionId, "in-progress");
  return placed;
}

/** One that somebody began who called a number of the agent's. */
async function calledIn(row: Row) {
  const numbers = { from: CALLER, to: NUMBERS[row.name].ours };
  const call = await row.company.callIn(numbers, webhookOf(row.ours));
  const { session_id: sessionId } = await telephony.api.database.db
    .selectFrom("calls")
    .select("session_id")
    .where("call_sid", "=", call.callSid)
    .executeTakeFirstOrThrow();
  await telephony.untilStatus(sessionId, "in-progress");
  return { call, sessionId };
}

/** The carrier tells the rival's address, in the rival's account, of a leg. */
async function tell({ company }: Row, leg: FakeCall, moment: Moment): Promise<number> {
  const own = company.carrier.calls.get(leg.callSid);
  company.carrier.calls.set(leg.callSid, leg);
  const { url, method, headers, body } = await company.carrier.sign(leg.callSid, moment);
  if (own) company.carrier.calls.set(leg.callSid, own);
  return (await fetch(url, { method, headers, body })).status;
}

/** Everything that is kept of a call, and how often its carrier was asked for something. */
async function stateOf({ company }: Row, sessionId: string) {
  const { db } = telephony.api.database;
  const call = await db
    .selectFrom("calls")
    .selectAll()
    .where("session_id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return { call, requests: company.carrier.requests.length };
}

/** The carrier is asked to end each leg, which may be after the call has ended. */
async function hangUp(sessionId: string, legs: readonly FakeCall[]): Promise<void> {
  expect((await telephony.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
  await telephony.untilStatus(sessionId, "completed");
  await expect.poll(() => legs.map(({ state }) => state)).toEqual(legs.map(() => "ended"));
}

describe.each(ACCOUNT_CARRIERS)("a callback that %s signs for one organization", (name) => {
  const rowOf = (): Row => rows.get(name)!;

  it("tells nothing of another organization's call", async () => {
    const row = rowOf();
    const { sessionId, call } = await talking(row);
    const before = await stateOf(row, sessionId);
    const forged = toldAt(call, call.callbackUrl.replace(row.ours, row.theirs));
    expect(forged.callbackUrl).not.toBe(call.callbackUrl);
    for (const moment of [{ type: "ringing" }, { type: "answered" }, ENDED] as const)
      expect(await tell(row, forged, moment)).toBe(404);
    expect(await stateOf(row, sessionId)).toEqual(before);
    // The same word of its own account ends it.
    expect(await tell(row, call, ENDED)).toBe(200);
    await telephony.untilStatus(sessionId, "completed");
  });

  it("tells nothing of who shall take another organization's call over", async () => {
    const row = rowOf();
    const { sessionId, call } = await talking(row);
    dialed += 1;
    const to = `+1202556${6_000 + dialed}`;
    const order = { to, mode: "warm", whisper: "Ada, about her order." };
    expect((await telephony.request("POST", `/api/sessions/${sessionId}/transfer`, order)).status).toBe(200);
    const target = row.company.call(to);
    const before = await stateOf(row, sessionId);
    const forged = toldAt(target, target.callbackUrl.replace(row.ours, row.theirs));
    for (const moment of [{ type: "answered" }, ENDED] as const)
      expect(await tell(row, forged, moment)).toBe(404);
    expect(await stateOf(row, sessionId)).toEqual(before);
    expect(before.call).toMatchObject({ transfer_state: "ringing" });
    expect(await tell(row, target, { type: "answered" })).toBe(200);
    expect((await stateOf(row, sessionId)).call).toMatchObject({ transfer_state: "briefing" });
    await hangUp(sessionId, [call, target]);
  });

  it("gets no media of a call that came in to another organization, and does not end it", async () => {
    const row = rowOf();
    const { sessionId, call } = await calledIn(row);
    const before = await stateOf(row, sessionId);
    const { mediaUrl: _, ...leg } = call;
    const to = call.to.replace(NUMBERS[name].ours.slice(1), NUMBERS[name].theirs.slice(1));
    const forged: FakeCall = { ...leg, to, callbackUrl: webhookOf(row.theirs) };
    const answer = await row.company.carrier.callIn(forged);
    row.company.carrier.calls.set(call.callSid, call);
    expect(answer).toContain("This account has no such call.");
    expect(forged.mediaUrl).toBeUndefined();
    expect(await stateOf(row, sessionId)).toEqual(before);
    expect(await tell(row, forged, ENDED)).toBe(200);
    (await row.company.phoneOf(call)).press("5#");
    const transcript = async () => (await telephony.record(sessionId)).transcript.map(({ text }) => text);
    await expect.poll(transcript).toContain("DTMF: 5#");
    expect(await tell(row, call, ENDED)).toBe(200);
    await telephony.untilStatus(sessionId, "completed");
    // Nor one that is over.
    expect(await row.company.carrier.callIn({ ...forged })).toContain("This account has no such call.");
  });

  it("cannot make another organization's leg its own", async () => {
    const row = rowOf();
    const [victim, own] = [await talking(row), await dial(row, rival)];
    const before = await stateOf(row, victim.sessionId);
    const renamed = { ...own.call, callSid: victim.call.callSid };
    for (const moment of [{ type: "ringing" }, { type: "answered" }, ENDED] as const)
      expect(await tell(row, renamed, moment)).toBe(200);
    expect(await stateOf(row, victim.sessionId)).toEqual(before);
    expect((await stateOf(row, own.sessionId)).call.call_sid).toBe(own.call.callSid);
    await hangUp(victim.sessionId, [victim.call]);
  });
});
