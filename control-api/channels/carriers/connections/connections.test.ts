import { systemClock } from "@parley/shared/clock.ts";
import {
  ACCOUNT_CARRIERS,
  type AccountCarrierName,
  ofEachCarrier,
  PHONE_CARRIERS,
} from "@parley/shared/contracts/phone-carriers.ts";
import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withoutTable } from "../../../../testkit/broken-database.ts";
import { TestControlApi } from "../../../../testkit/control-api.ts";
import { CARRIER_FAKES } from "../../../../testkit/fakes/carriers/by-carrier.ts";
import type { FakeCarrier } from "../../../../testkit/fakes/carriers/fake-carrier.ts";
import { TestMembers } from "../../../../testkit/members.ts";
import { Carriers } from "./carriers.ts";

const ACCOUNTS = ofEachCarrier((name) => CARRIER_FAKES[name].account);
const SECRETS_KEY = `test:${Buffer.alloc(32, 5).toString("base64")}`;
const PRIVATE = ["127.0.0.0/8"];

let fakes: Record<AccountCarrierName, FakeCarrier>;
let api: TestControlApi;
let members: TestMembers;
let carriers: Carriers;

beforeAll(async () => {
  const started = await Promise.all(ACCOUNT_CARRIERS.map((name) => CARRIER_FAKES[name].start()));
  fakes = ofEachCarrier((name) => started[ACCOUNT_CARRIERS.indexOf(name)] as FakeCarrier);
  const apiUrls = ofEachCarrier((name) => fakes[name].url);
  api = await TestControlApi.start({
    env: Object.fromEntries(
      ACCOUNT_CARRIERS.map((name) => [PHONE_CARRIERS[name].api.variable, apiUrls[name]]),
    ),
    secretsKey: SECRETS_KEY,
    allowPrivateTargets: PRIVATE,
  });
  members = await TestMembers.create(api);
  const dispatcher = createGuardedDispatcher({
    allowPrivateTargets: PRIVATE,
    connectTimeoutMs: 1_000,
    connectionsPerHost: 4,
    keepAliveMs: 1_000,
    resolve: createSystemResolver({ clock: systemClock }),
  });
  const reach = { apiUrls, dispatchers: { of: () => dispatcher }, clock: systemClock };
  carriers = new Carriers({ database: api.database, secrets: new SecretBox(SECRETS_KEY), reach });
});
afterAll(async () => {
  await api.close();
  for (const fake of Object.values(fakes)) await fake.close();
});
beforeEach(async () => {
  await api.database.db.deleteFrom("carrier_connections").execute();
  for (const fake of Object.values(fakes)) fake.fault = undefined;
});

interface Connection {
  readonly id: string;
  readonly carrier: string;
  readonly account: string;
}
async function call(method: string, path = "", body?: unknown) {
  const { orgId } = members;
  const answer = await api.call(method, `/api/orgs/${orgId}/carriers${path}`, {
    token: await members.token("admin"),
    orgId,
    ...(body === undefined ? {} : { body }),
  });
  return { ...answer, data: answer.body.data as Connection };
}
const connect = (carrier: keyof typeof ACCOUNTS, credentials: object = ACCOUNTS[carrier]) =>
  call("POST", "", { carrier, credentials });

describe("connecting an account", () => {
  it.each(Object.keys(ACCOUNTS) as (keyof typeof ACCOUNTS)[])(
    "at %s tries it, and never shows its secrets",
    async (name) => {
      const before = fakes[name].requests.length;
      const { status, data, text } = await connect(name);
      expect(status).toBe(201);
      expect(fakes[name].requests).toHaveLength(before + 1);
      const listed = await call("GET");
      expect(listed.body.data).toEqual({ carriers: [data], total: 1 });
      expect(listed.text).toContain(`${api.api.baseUrl}/api/public/carriers/${data.id}/inbound`);
      const rows = await api.database.db.selectFrom("carrier_connections").selectAll().execute();
      const audited = await api.database.db.selectFrom("audit_events").select("details").execute();
      const failed = await withoutTable(api, "carrier_connections", async () => {
        expect((await connect(name)).status).toBe(500);
      });
      expect(failed).not.toEqual([]);
      const seen = [text, listed.text, JSON.stringify(rows), JSON.stringify(audited), ...api.logged].join(
        "\n",
      );
      const { account } = data;
      for (const value of Object.values(ACCOUNTS[name])) {
        // Of a key its first line of letters: JSON writes the ends of lines otherwise.
        const part = value.split("\n").find((line) => !line.startsWith("-----")) ?? value;
        if (value !== account) expect(seen).not.toContain(part.slice(0, 60));
      }
    },
  );

  it("with what the carrier does not take says which settings to check, and keeps nothing", async () => {
    const refused = await connect("twilio", { ...ACCOUNTS.twilio, authToken: "wrong" });
    expect(refused).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(refused.body.error).toContain("accountSid and authToken");
    const application = await connect("telnyx", { ...ACCOUNTS.telnyx, connectionId: "1" });
    expect(application.status).toBe(400);
    expect((await call("GET")).body.data).toMatchObject({ total: 0 });
  });

  it.each([
    [
      "twilio",
      { ...ACCOUNTS.twilio, accountSid: "../Accounts" },
      "Invalid credentials: accountSid: AC and 32",
    ],
    ["twilio", { accountSid: ACCOUNTS.twilio.accountSid }, "Invalid credentials: authToken is required"],
    ["twilio", ACCOUNTS.plivo, "authId"],
    [
      "telnyx",
      { ...ACCOUNTS.telnyx, apiKey: "a\r\nX-Evil: b" },
      "Invalid credentials: apiKey: 1 to 512 visible",
    ],
    ["telnyx", { ...ACCOUNTS.telnyx, publicKey: "AAAA" }, "publicKey is not an Ed25519 key"],
    ["vonage", { ...ACCOUNTS.vonage, privateKey: "secret-nonsense" }, "privateKey is not"],
  ] as const)("at %s is refused before anybody is asked: %#", async (carrier, credentials, why) => {
    const before = fakes[carrier].requests.length;
    const { status, body } = await connect(carrier, credentials);
    expect(status).toBe(400);
    expect(body.error).toContain(why);
    expect(body.error).not.toContain("secret-nonsense");
    expect(fakes[carrier].requests).toHaveLength(before);
  });

  it("says when the carrier is away", async () => {
    fakes.plivo.fault = { status: 500 };
    expect(await connect("plivo")).toMatchObject({ status: 503, body: { code: "unavailable" } });
  });

  it("is done once at each carrier, also at the same time", async () => {
    const answers = await Promise.all([connect("plivo"), connect("plivo")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });
});

describe("an account that is connected", () => {
  it("is found by organization and by id, opened once until its credentials change", async () => {
    const { id } = (await connect("twilio")).data;
    const found = await carriers.find(members.orgId, "twilio");
    expect(found).toMatchObject({ connectionId: id, orgId: members.orgId, carrier: { name: "twilio" } });
    expect(await carriers.findById(id)).toBe(found);
    await found?.carrier.checkAccount();
    const replaced = await call("PUT", `/${id}/credentials`, { credentials: ACCOUNTS.twilio });
    expect(replaced).toMatchObject({ status: 200, data: { id, account: ACCOUNTS.twilio.accountSid } });
    expect(await carriers.findById(id)).not.toBe(found);
    expect(await carriers.find(members.orgId, "telnyx")).toBeUndefined();
    expect(await carriers.find(members.stranger.orgId, "twilio")).toBeUndefined();
  });

  it("keeps its credentials when others are not taken", async () => {
    const { id } = (await connect("twilio")).data;
    const credentials = { ...ACCOUNTS.twilio, authToken: "wrong" };
    expect((await call("PUT", `/${id}/credentials`, { credentials })).status).toBe(400);
    await (await carriers.findById(id))?.carrier.checkAccount();
  });

  it("opens nobody else's credentials", async () => {
    const { id } = (await connect("twilio")).data;
    await api.database.db
      .updateTable("carrier_connections")
      .set({ id: "con_other" })
      .where("id", "=", id)
      .execute();
    await expect(carriers.findById("con_other")).rejects.toMatchObject({ code: "internal" });
  });

  it("is disconnected, and belongs to its organization", async () => {
    const { id } = (await connect("plivo")).data;
    const { orgId } = members.stranger;
    const token = await members.strangersToken();
    const theirs = `/api/orgs/${orgId}/carriers/${id}`;
    expect((await api.call("DELETE", theirs, { token, orgId })).status).toBe(404);
    const body = { credentials: ACCOUNTS.plivo };
    expect((await api.call("PUT", `${theirs}/credentials`, { token, orgId, body })).status).toBe(404);
    expect((await call("DELETE", `/${id}`)).status).toBe(200);
    expect(await carriers.findById(id)).toBeUndefined();
    expect((await call("DELETE", `/${id}`)).status).toBe(404);
  });
});
