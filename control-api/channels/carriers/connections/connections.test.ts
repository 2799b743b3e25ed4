import { systemClock } from "@parley/shared/clock.ts";
import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withoutTable } from "../../../../testkit/broken-database.ts";
import { TestControlApi } from "../../../../testkit/control-api.ts";
import type { FakeCarrier } from "../../../../testkit/fakes/carriers/fake-carrier.ts";
import { PLIVO_ACCOUNT, startFakePlivo } from "../../../../testkit/fakes/carriers/plivo.ts";
import { startFakeTelnyx, TELNYX_ACCOUNT } from "../../../../testkit/fakes/carriers/telnyx.ts";
import { startFakeTwilio, TWILIO_ACCOUNT } from "../../../../testkit/fakes/carriers/twilio.ts";
import { startFakeVonage, VONAGE_ACCOUNT } from "../../../../testkit/fakes/carriers/vonage.ts";
import { TestMembers } from "../../../../testkit/members.ts";
import { Carriers } from "./carriers.ts";

const ACCOUNTS = {
  twilio: TWILIO_ACCOUNT,
  telnyx: TELNYX_ACCOUNT,
  plivo: PLIVO_ACCOUNT,
  vonage: VONAGE_ACCOUNT,
} as const;
const SECRETS_KEY = `test:${Buffer.alloc(32, 5).toString("base64")}`;
const PRIVATE = ["127.0.0.0/8"];

let fakes: Record<keyof typeof ACCOUNTS, FakeCarrier>;
let api: TestControlApi;
let members: TestMembers;
let carriers: Carriers;

beforeAll(async () => {
  fakes = {
    twilio: await startFakeTwilio(),
    telnyx: await startFakeTelnyx(),
    plivo: await startFakePlivo(),
    vonage: await startFakeVonage(),
  };
  const apiUrls = {
    twilio: fakes.twilio.url,
    telnyx: fakes.telnyx.url,
    plivo: fakes.plivo.url,
    vonage: fakes.vonage.url,
  };
  api = await TestControlApi.start({
    env: {
      TWILIO_API_URL: apiUrls.twilio,
      TELNYX_API_URL: apiUrls.telnyx,
      PLIVO_API_URL: apiUrls.plivo,
      VONAGE_API_URL: apiUrls.vonage,
    },
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
    const refused = await connect("twilio", { ...TWILIO_ACCOUNT, authToken: "wrong" });
    expect(refused).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(refused.body.error).toContain("accountSid and authToken");
    const application = await connect("telnyx", { ...TELNYX_ACCOUNT, connectionId: "1" });
    expect(application.status).toBe(400);
    expect((await call("GET")).body.data).toMatchObject({ total: 0 });
  });

  it.each([
    [
      "twilio",
      { ...TWILIO_ACCOUNT, accountSid: "../Accounts" },
      "Invalid credentials: accountSid: AC and 32",
    ],
    ["twilio", { accountSid: TWILIO_ACCOUNT.accountSid }, "Invalid credentials: authToken is required"],
    ["twilio", PLIVO_ACCOUNT, "authId"],
    [
      "telnyx",
      { ...TELNYX_ACCOUNT, apiKey: "a\r\nX-Evil: b" },
      "Invalid credentials: apiKey: 1 to 512 visible",
    ],
    ["telnyx", { ...TELNYX_ACCOUNT, publicKey: "AAAA" }, "publicKey is not an Ed25519 key"],
    ["vonage", { ...VONAGE_ACCOUNT, privateKey: "secret-nonsense" }, "privateKey is not"],
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
    const replaced = await call("PUT", `/${id}/credentials`, { credentials: TWILIO_ACCOUNT });
    expect(replaced).toMatchObject({ status: 200, data: { id, account: TWILIO_ACCOUNT.accountSid } });
    expect(await carriers.findById(id)).not.toBe(found);
    expect(await carriers.find(members.orgId, "telnyx")).toBeUndefined();
    expect(await carriers.find(members.stranger.orgId, "twilio")).toBeUndefined();
  });

  it("keeps its credentials when others are not taken", async () => {
    const { id } = (await connect("twilio")).data;
    const credentials = { ...TWILIO_ACCOUNT, authToken: "wrong" };
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
    const body = { credentials: PLIVO_ACCOUNT };
    expect((await api.call("PUT", `${theirs}/credentials`, { token, orgId, body })).status).toBe(404);
    expect((await call("DELETE", `/${id}`)).status).toBe(200);
    expect(await carriers.findById(id)).toBeUndefined();
    expect((await call("DELETE", `/${id}`)).status).toBe(404);
  });
});
