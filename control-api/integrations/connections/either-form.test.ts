import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { type FakeConsents, OAUTH_CLIENT } from "../../../testkit/fakes/connectors/fake-consents.ts";
import type { FakeVendor } from "../../../testkit/fakes/connectors/fake-vendor.ts";
import {
  HUBSPOT_TOKEN,
  hubspotConsents,
  startFakeHubspot,
} from "../../../testkit/fakes/connectors/hubspot.ts";
import {
  PIPEDRIVE_TOKEN,
  pipedriveConsents,
  startFakePipedrive,
} from "../../../testkit/fakes/connectors/pipedrive.ts";
import { SLACK_TOKEN, slackConsents, startFakeSlack } from "../../../testkit/fakes/connectors/slack.ts";
import { startFakeZendesk, ZENDESK, zendeskConsents } from "../../../testkit/fakes/connectors/zendesk.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";

const BASE = "/api/v1/integrations";

interface Vendor {
  readonly id: string;
  readonly consents: FakeConsents;
  readonly start: () => Promise<FakeVendor>;
  readonly settings?: Record<string, string>;
  /** The other form. */
  readonly credentials: Record<string, string>;
  readonly account: string;
  /** What the vendor is asked for; undefined: it is asked for nothing by name. */
  readonly scope: string | undefined;
  /** What is given back. */
  readonly revokes: RegExp;
}

const [hubspot, slack, pipedrive, zendesk] = [
  hubspotConsents(),
  slackConsents(),
  pipedriveConsents(),
  zendeskConsents(),
];
const VENDORS: readonly Vendor[] = [
  {
    id: "hubspot",
    consents: hubspot,
    start: () => startFakeHubspot(hubspot),
    credentials: { accessToken: HUBSPOT_TOKEN },
    account: "HubSpot 4242",
    scope: "oauth crm.objects.contacts.read crm.objects.contacts.write tickets",
    revokes: /^refresh-/,
  },
  {
    id: "slack",
    consents: slack,
    start: () => startFakeSlack(slack),
    credentials: { botToken: SLACK_TOKEN },
    account: "Shoes Inc",
    scope: "chat:write,chat:write.public",
    revokes: /^access-/,
  },
  {
    id: "pipedrive",
    consents: pipedrive,
    start: () => startFakePipedrive(pipedrive),
    credentials: { apiToken: PIPEDRIVE_TOKEN },
    account: "Shoes Inc",
    scope: undefined,
    revokes: /^refresh-/,
  },
  {
    id: "zendesk",
    consents: zendesk,
    start: () => startFakeZendesk(zendesk),
    settings: { url: "https://shoes.zendesk.com" },
    credentials: ZENDESK.basic,
    account: "shoes.zendesk.com",
    scope: "read write",
    revokes: /^access-/,
  },
];

let fakes: FakeVendor[];
let api: TestControlApi;
let organization: TestOrganization;

beforeAll(async () => {
  fakes = await Promise.all(VENDORS.map(({ start }) => start()));
  const urls = VENDORS.map(({ id }, n) => `${id}=${fakes[n]?.url}`).join(",");
  api = await TestControlApi.start({
    env: {
      INTEGRATION_URLS: urls,
      OAUTH_CLIENTS: JSON.stringify(VENDORS.map(({ id }) => ({ provider: id, ...OAUTH_CLIENT }))),
    },
    allowPrivateTargets: ["127.0.0.0/8"],
  });
});
afterAll(async () => {
  await api.close();
  for (const fake of fakes) fake.close();
});
beforeEach(async () => {
  organization = await api.createOrganization();
  for (const { consents } of VENDORS) consents.revoked.length = 0;
});

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, `${BASE}${path}`, {
    key: organization.keys.developer,
    ...(body === undefined ? {} : { body }),
  });
const read = async (id: string) => (await call("GET", `/connections/${id}`)).body;

async function create(vendor: Vendor, credentials = {}): Promise<string> {
  const { id: providerId, settings = {} } = vendor;
  const { status, body, text } = await call("POST", "/connections", { providerId, settings, credentials });
  expect(status, text).toBe(201);
  return (body.connection as { id: string }).id;
}

/** To the vendor and back, as a browser goes. */
async function consent(id: string): Promise<void> {
  const { body } = await call("POST", `/connections/${id}/authorize`);
  const open = (url: string, cookie = "") => fetch(url, { redirect: "manual", headers: { cookie } });
  const link = await open(body.authorizeUrl as string);
  const back = await open(link.headers.get("location") ?? "");
  const cookie = link.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect((await open(back.headers.get("location") ?? "", cookie)).status).toBe(303);
}

describe.each(VENDORS)("$id, which takes credentials or a consent", (vendor) => {
  const { id: providerId, consents, credentials, account, scope, revokes } = vendor;

  it("is connected by consent when none are entered, renewed when its token ends, and given back", async () => {
    const { body: provider } = await call("GET", `/providers/${providerId}`);
    expect(provider).toMatchObject({ connect: { consent: true } });
    const id = await create(vendor);
    expect(await read(id)).toMatchObject({ status: "disconnected", credentials: {} });
    await consent(id);
    expect(await read(id)).toMatchObject({ status: "active", settings: { account } });
    expect(consents.asked.at(-1)?.scope).toBe(scope);
    consents.expire();
    expect((await call("POST", `/connections/${id}/test`)).body).toMatchObject({ ok: true });
    expect((await call("DELETE", `/connections/${id}`)).status).toBe(200);
    expect(consents.revoked).toEqual([expect.stringMatching(revokes)]);
  });

  it("gives the consent back when credentials are entered instead, and may go back to one", async () => {
    const id = await create(vendor);
    await consent(id);
    const { body } = await call("PATCH", `/connections/${id}`, { credentials });
    expect(body).toMatchObject({ connection: { status: "active" }, verification: { ok: true } });
    expect(consents.revoked).toHaveLength(1);
    const empty = Object.fromEntries(Object.keys(credentials).map((key) => [key, ""]));
    expect((await call("PATCH", `/connections/${id}`, { credentials: empty })).status).toBe(400);
    await consent(id);
    expect(await read(id)).toMatchObject({ status: "active", credentials: {} });
    expect((await call("PATCH", `/connections/${id}`, { label: "Ours" })).body).toMatchObject({
      connection: { status: "active", label: "Ours" },
      verification: { ok: true },
    });
  });

  it("is active at once with credentials, also where a consent was only begun", async () => {
    const id = await create(vendor, credentials);
    expect(await read(id)).toMatchObject({ status: "active" });
    await call("DELETE", `/connections/${id}`);
    const begun = await create(vendor);
    const { body } = await call("PATCH", `/connections/${begun}`, { credentials });
    expect(body).toMatchObject({ connection: { status: "active" }, verification: { ok: true } });
  });
});

it("an access whose token ended is renewed for the vendor to take it back", async () => {
  const vendor = VENDORS[1] as Vendor;
  const id = await create(vendor);
  await consent(id);
  slack.expire();
  await call("DELETE", `/connections/${id}`);
  expect(slack.revoked).toEqual([expect.stringMatching(/^access-/)]);
});

it("where nobody registered this installation, credentials have to be entered", async () => {
  const plain = await TestControlApi.start();
  try {
    const { keys } = await plain.createOrganization();
    const at = { key: keys.owner };
    for (const { id: providerId, settings = {} } of VENDORS) {
      const { body: provider } = await plain.call("GET", `${BASE}/providers/${providerId}`, at);
      expect(provider).toMatchObject({ connect: { consent: false } });
      const made = await plain.call("POST", `${BASE}/connections`, { ...at, body: { providerId, settings } });
      expect(made).toMatchObject({ status: 400, body: { error: expect.stringContaining("credentials") } });
    }
  } finally {
    await plain.close();
  }
});
