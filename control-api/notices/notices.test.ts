import { randomBytes } from "node:crypto";
import type { OrgNotice } from "@parley/shared/contracts/notices.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAccount } from "../../testkit/carrier-account.ts";
import { TestControlApi } from "../../testkit/control-api.ts";
import { memberOnly } from "../../testkit/members.ts";
import type { TestOrganization } from "../../testkit/organization.ts";
import type { TestPerson } from "../../testkit/person.ts";
import { TestPhoneCompany } from "../../testkit/phone-company.ts";

const OURS = "+12025550131";
const secretsKey = `test:${randomBytes(32).toString("base64")}`;
let api: TestControlApi;
let twilio: TestPhoneCompany;
beforeAll(async () => {
  twilio = await TestPhoneCompany.start("twilio");
  api = await TestControlApi.start({
    env: { TWILIO_API_URL: twilio.carrier.url },
    secretsKey,
    allowPrivateTargets: ["127.0.0.0/8"],
  });
  await api.registerNode();
});
afterAll(async () => {
  await api.close();
  await twilio.close();
});

async function noticesFor(person: TestPerson, { orgId }: TestOrganization): Promise<OrgNotice[]> {
  const { body } = await person.call("GET", `/api/orgs/${orgId}/notices`, undefined, orgId);
  return (body.data as { notices: OrgNotice[] }).notices;
}

async function dial({ agentId, keys }: TestOrganization): Promise<number> {
  const body = { agentId, to: "+12025555001", fromNumber: OURS };
  return (await api.call("POST", "/api/sessions/initiate-call", { key: keys.developer, body })).status;
}

describe("what needs a person of an organization", () => {
  it("is nothing while all works", async () => {
    const acme = await api.createOrganization();
    expect(await noticesFor(await memberOnly(api, acme.orgId, "owner"), acme)).toEqual([]);
  });

  it("is a carrier that refuses the account, for owners and admins, until it takes it", async () => {
    const acme = await api.createOrganization();
    const [owner, viewer] = [
      await memberOnly(api, acme.orgId, "owner"),
      await memberOnly(api, acme.orgId, "viewer"),
    ];
    const account = { orgId: acme.orgId, carrier: "twilio", number: OURS, secretsKey } as const;
    const id = await connectAccount(api.database, { ...account, credentials: twilio.credentials });
    twilio.carrier.fault = { status: 401 };
    expect(await dial(acme)).toBe(400);
    twilio.carrier.fault = undefined;
    expect(await noticesFor(owner, acme)).toMatchObject([
      { kind: "carrier_refuses", id, carrier: "Twilio", account: "a test's" },
    ]);
    expect(await noticesFor(viewer, acme)).toEqual([]);
    expect(await dial(acme)).toBe(200);
    expect(await noticesFor(owner, acme)).toEqual([]);
  });

  it("is a webhook that was disabled, and a connection that has failed, of this organization alone", async () => {
    const [acme, other] = [await api.createOrganization(), await api.createOrganization()];
    const member = await memberOnly(api, acme.orgId, "viewer");
    const stranger = await memberOnly(api, other.orgId, "owner");
    const url = "http://127.0.0.1:9/hook";
    const made = await api.call("POST", `/api/orgs/${acme.orgId}/webhooks`, {
      key: acme.keys.developer,
      body: { url },
    });
    const webhookId = (made.body.data as { id: string }).id;
    await api.database.db
      .updateTable("webhook_endpoints")
      .set({ enabled: false, last_error: "410 Gone" })
      .where("id", "=", webhookId)
      .execute();
    const connectionId = await failedConnection(acme);
    expect(await noticesFor(member, acme)).toEqual([
      { kind: "connection_failed", id: connectionId, label: "Our shop", reason: "Sign in again." },
      { kind: "webhook_disabled", id: webhookId, url, reason: "410 Gone" },
    ]);
    expect(await noticesFor(stranger, other)).toEqual([]);
  });
});

async function failedConnection({ orgId, userId }: TestOrganization): Promise<string> {
  const id = newId("con");
  const at = new Date();
  await api.database.db
    .insertInto("integration_connections")
    .values({
      ...{ id, org_id: orgId, provider_id: "shopify", account: "a", label: "Our shop", status: "error" },
      ...{ credentials_sealed: "", data_key_id: "", credentials_shown: "{}", settings: "{}", facts: "{}" },
      ...{ last_error: "Sign in again.", warnings: "[]", verified_at: null, version: 1 },
      ...{ created_by: userId, created_at: at, updated_at: at },
    })
    .execute();
  return id;
}
