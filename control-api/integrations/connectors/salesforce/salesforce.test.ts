import { expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../../../testkit/control-api.ts";
import { OAUTH_CLIENT } from "../../../../testkit/fakes/connectors/fake-consents.ts";
import {
  INSTANCE,
  SALESFORCE_TOKEN,
  salesforceConsents,
  salesforceError,
  startFakeSalesforce,
} from "../../../../testkit/fakes/connectors/salesforce.ts";
import { checkInput } from "../../connections/input.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";
import { instanceIn } from "./verify.ts";

const page = (id: string) => `${INSTANCE}/lightning/r/Contact/${id}/view`;
const ADA = {
  id: "003000000000001AAA",
  name: "Ada Byron",
  email: "ada@example.com",
  phone: "(415) 555-0101",
  url: page("003000000000001AAA"),
};

connectorContract({
  connector,
  start: () => startFakeSalesforce(),
  settings: {},
  forms: { consent: { accessToken: SALESFORCE_TOKEN } },
  badCredentials: { accessToken: "00D!nobody" },
  account: "admin@shoes.example",
  facts: { instanceUrl: INSTANCE, organizationId: "00D000000000001EAA" },
  cases: [
    { capability: "contact.lookup", args: { phone: "+1 415 555-0101" }, result: { contact: ADA } },
    { capability: "contact.lookup", args: { email: "o'neil@example.com" }, result: { contact: null } },
    {
      capability: "contact.upsert",
      args: { email: "ada@example.com", name: "Ada King Lovelace" },
      result: { contact: { ...ADA, name: "Ada King Lovelace" }, created: false },
    },
    {
      capability: "contact.upsert",
      args: { email: "ben@example.com", fields: { Title: "Cook" } },
      result: {
        contact: {
          id: "003000000000002AAA",
          name: "ben",
          email: "ben@example.com",
          phone: null,
          url: page("003000000000002AAA"),
        },
        created: true,
      },
    },
    {
      capability: "note.create",
      args: { contactId: ADA.id, text: "Called" },
      result: { id: "00T000000000001AAA" },
    },
  ],
  missing: { capability: "note.create", args: { contactId: "003000000000009AAA", text: "Called" } },
  faults: {
    missingScope: salesforceError(403, "INSUFFICIENT_ACCESS_OR_READONLY", "insufficient access rights"),
    rateLimited: salesforceError(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded."),
  },
});

it.each(["https://evil.example", "http://a.my.salesforce.com", "https://salesforce.com.evil.example", "x"])(
  "takes no token to %s",
  (instance_url) => {
    expect(instanceIn({ instance_url })).toEqual({});
  },
);

it.each([
  ["Shoes.my.salesforce.com", "https://shoes.my.salesforce.com"],
  ["https://shoes--dev.sandbox.my.salesforce.com/", "https://shoes--dev.sandbox.my.salesforce.com"],
  ["test.salesforce.com", "https://test.salesforce.com"],
])("%s may be signed in at", (loginUrl, expected) => {
  const { settings } = checkInput(connector, { credentials: {}, settings: { loginUrl } });
  expect(connector.oauth?.tokenUrl(settings)).toBe(`${expected}/services/oauth2/token`);
});

it.each([
  ...["https://salesforce.evil.example", "https://a.b.c.my.salesforce.com", "https://my.salesforce.com"],
  ...["http://test.salesforce.com", "https://test.salesforce.com/home", "test.salesforce.com/home"],
])("%s may not", (loginUrl) => {
  expect(() => checkInput(connector, { credentials: {}, settings: { loginUrl } })).toThrow("loginUrl");
});

it("keeps where the organization is, and every refresh token that a renewal brings", async () => {
  const consents = salesforceConsents();
  const fake = await startFakeSalesforce(consents);
  const api = await TestControlApi.start({
    env: {
      INTEGRATION_URLS: `salesforce=${fake.url}`,
      OAUTH_CLIENTS: JSON.stringify([{ provider: "salesforce", ...OAUTH_CLIENT }]),
    },
    allowPrivateTargets: ["127.0.0.0/8"],
  });
  onTestFinished(async () => {
    await api.close();
    fake.close();
  });
  const { keys } = await api.createOrganization();
  const path = "/api/v1/integrations/connections";
  const call = async (at: string, body?: unknown) =>
    (await api.call("POST", at, { key: keys.owner, ...(body === undefined ? {} : { body }) })).body;
  const { id } = (await call(path, { providerId: "salesforce" })).connection as { id: string };
  const { authorizeUrl } = await call(`${path}/${id}/authorize`);
  const link = await fetch(authorizeUrl as string, { redirect: "manual" });
  const cookie = link.headers.get("set-cookie")?.split(";")[0] ?? "";
  const back = await fetch(link.headers.get("location") ?? "", { redirect: "manual" });
  await fetch(back.headers.get("location") ?? "", { redirect: "manual", headers: { cookie } });
  const shown = (await api.call("GET", `${path}/${id}`, { key: keys.owner })).body;
  expect(shown).toMatchObject({ status: "active", settings: { account: "admin@shoes.example" } });
  // Nobody says when a token ends: a refusal does, and each refresh token is good once.
  for (const _ of [1, 2]) {
    consents.expire();
    expect(await call(`${path}/${id}/test`)).toEqual({ ok: true, warnings: [] });
  }
  const renewals = consents.tokenRequests.filter((form) => form.grant_type === "refresh_token");
  expect(new Set(renewals.map((form) => form.refresh_token)).size).toBe(2);
  expect(renewals.every((form) => form.scope === undefined)).toBe(true);
});
