import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestCallee, type TestDevice } from "../../../testkit/callee.ts";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import type { FakeCall } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { TestPhoneCompany } from "../../../testkit/phone-company.ts";
import { TestTelephony } from "../../../testkit/telephony.ts";

const CALLER = "+12025550176";
const LIMIT = 8;
const secretsKey = `test:${randomBytes(32).toString("base64")}`;

interface Row {
  readonly company: TestPhoneCompany;
  readonly webhookUrl: string;
  readonly ada: TestCallee;
}

let telephony: TestTelephony;
const rows = new Map<AccountCarrierName, Row>();

beforeAll(async () => {
  const companies = await Promise.all(ACCOUNT_CARRIERS.map((name) => TestPhoneCompany.start(name)));
  telephony = await TestTelephony.start({
    secretsKey,
    apiEnv: Object.fromEntries(
      companies.map(({ name, carrier }) => [`${name.toUpperCase()}_API_URL`, carrier.url]),
    ),
  });
  const { api, organization } = telephony;
  const { orgId, keys } = organization;
  for (const [index, company] of companies.entries()) {
    const { name, credentials } = company;
    const account = { orgId, carrier: name, credentials, number: `+1202555013${index}`, secretsKey };
    const connectionId = await connectAccount(api.database, account);
    const webhookUrl = `${api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`;
    const ada = await TestCallee.create(api, { orgId, key: keys.developer, carrier: name });
    rows.set(name, { company, webhookUrl, ada });
  }
});
afterAll(async () => {
  await telephony.close();
  for (const { company } of rows.values()) await company.close();
});

async function sessionOf({ callSid }: FakeCall): Promise<string> {
  const { session_id } = await telephony.api.database.db
    .selectFrom("calls")
    .select("session_id")
    .where("call_sid", "=", callSid)
    .executeTakeFirstOrThrow();
  return session_id;
}

/** Somebody calls the member. */
async function ring({ company, webhookUrl, ada }: Row): Promise<FakeCall> {
  return company.callIn({ from: CALLER, to: ada.number }, webhookUrl);
}

/** A device that comes now is told of the next call, and of none before. */
async function nothingRingsFor(row: Row, before: string, devices: readonly TestDevice[]): Promise<void> {
  const told = devices.map((device) => device.told(before));
  const late = await row.ada.listen();
  const next = await ring(row);
  const sessionId = await sessionOf(next);
  for (const device of [late, ...devices]) await device.untilTold(sessionId, "ringing");
  expect(late.told(before)).toEqual([]);
  expect(devices.map((device) => device.told(before))).toEqual(told);
  await row.company.carrier.tell(next.callSid, { type: "ended", status: "completed" });
  await late.untilTold(sessionId, "ringing", "hung_up");
}

describe.each(ACCOUNT_CARRIERS)("a call by %s that rings for a member", (name) => {
  it.each([
    [
      "the carrier says so",
      async ({ company }: Row, call: FakeCall) => {
        await company.carrier.tell(call.callSid, { type: "ended", status: "completed" });
      },
    ],
    ["its media ends", async ({ company }: Row, call: FakeCall) => (await company.phoneOf(call)).hangUp()],
  ] as const)("is gone from every device as soon as its caller gives up: %s", async (_, giveUp) => {
    const row = rows.get(name)!;
    const devices = [await row.ada.listen(), await row.ada.listen()];
    const call = await ring(row);
    const sessionId = await sessionOf(call);
    for (const device of devices) await device.untilTold(sessionId, "ringing");
    await row.company.phoneOf(call);
    const sinceMs = performance.now();
    await giveUp(row, call);
    for (const device of devices) await device.untilTold(sessionId, "ringing", "hung_up");
    // A heartbeat, or the time that it may ring, would show it as well: after fifteen seconds.
    expect(performance.now() - sinceMs).toBeLessThan(12_000);
    await nothingRingsFor(row, sessionId, devices);
    const late = await row.ada.call("POST", `/api/sessions/${sessionId}/answer`);
    expect(late).toMatchObject({ status: 404, body: { code: "session_ended" } });
  });
});

describe("a call whose carrier cannot be told where its media goes", () => {
  it("rings for nobody", async () => {
    const row = rows.get("telnyx")!;
    row.company.carrier.fault = { status: 500 };
    const call = await ring(row);
    row.company.carrier.fault = undefined;
    const sessionId = await sessionOf(call);
    await telephony.untilStatus(sessionId, "failed");
    await nothingRingsFor(row, sessionId, []);
  });
});

describe("a device that leaves while it is asked who it is", () => {
  it("takes no place from those that stay", async () => {
    const { ada } = rows.get("twilio")!;
    const { port, baseUrl } = telephony.api.api;
    const head = [
      "GET /api/me/incoming-calls HTTP/1.1",
      `Host: ${new URL(baseUrl).host}`,
      `Authorization: Bearer ${ada.person.accessToken}`,
      `X-Org-Id: ${ada.orgId}`,
    ];
    const leave = () =>
      new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write(`${head.join("\r\n")}\r\n\r\n`, () => socket.destroy());
        });
        socket.once("close", () => resolve());
      });
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: LIMIT }, leave));
    const listen = async () => (await ada.call("GET", "/api/me/incoming-calls")).status;
    const statuses = () => Promise.all(Array.from({ length: LIMIT }, listen));
    // That a device is gone is seen a moment later.
    const all = Array.from({ length: LIMIT }, () => 200);
    await expect.poll(statuses, { timeout: 90_000, interval: 200 }).toEqual(all);
  });
});
