import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../tests/support/control-api.ts";
import { createOrganization, type TestOrganization } from "../../tests/support/organization.ts";

const URL_OK = "https://93.184.215.14/hook";

let api: TestControlApi;
let organization: TestOrganization;
beforeAll(async () => {
  api = await TestControlApi.start();
  organization = await createOrganization(api.database);
});
afterAll(() => api.close());

const manage = (body: unknown, key = organization.keys.developer) =>
  api.call("POST", `/api/orgs/${organization.orgId}/webhooks`, { key, body });
const hook = (body: unknown, key = organization.keys.developer) =>
  api.call("POST", "/api/v1/hooks", { key, body });

describe("an endpoint on the management API", () => {
  it("is registered with a secret that is shown once, wants everything by default, and never changes", async () => {
    const answer = await manage({ url: URL_OK });
    expect(answer.status).toBe(201);
    const created = answer.body.data as { id: string; signing_secret: string };
    expect(created).toMatchObject({
      url: URL_OK,
      events: ["*"],
      agentId: null,
      includeRecording: false,
      includeTranscript: false,
      enabled: true,
      last_error: null,
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const path = `/api/orgs/${organization.orgId}/webhooks/${created.id}`;
    const read = await api.call("GET", path, { key: organization.keys.viewer });
    expect(read.body.data).toMatchObject({ id: created.id });
    expect(read.text).not.toContain("whsec_");
    expect(
      (await api.call("PATCH", path, { key: organization.keys.owner, body: { url: URL_OK } })).status,
    ).toBe(404);
    const row = await api.database.db
      .selectFrom("webhook_endpoints")
      .selectAll()
      .where("id", "=", created.id)
      .execute();
    expect(JSON.stringify(row)).not.toContain(created.signing_secret);
  });

  it("takes any event name, and silently ignores snake_case", async () => {
    const body = {
      url: URL_OK,
      events: ["no.such.event"],
      include_recording: true,
      agent_id: "agt_x",
      target_url: "x",
    };
    const answer = await manage(body);
    expect(answer.body.data).toMatchObject({
      events: ["no.such.event"],
      includeRecording: false,
      agentId: null,
    });
  });

  it("wants everything when its list of events is empty", async () => {
    expect((await manage({ url: URL_OK, events: [] })).body.data).toMatchObject({ events: ["*"] });
  });

  it("is deleted by owners and admins, and once", async () => {
    const { id } = (await manage({ url: URL_OK })).body.data as { id: string };
    const remove = (key: string) =>
      api.call("DELETE", `/api/orgs/${organization.orgId}/webhooks/${id}`, { key });
    expect((await remove(organization.keys.developer)).status).toBe(403);
    expect((await remove(organization.keys.admin)).status).toBe(200);
    expect((await remove(organization.keys.admin)).status).toBe(404);
  });

  it("of another organization is not there", async () => {
    const { id } = (await manage({ url: URL_OK })).body.data as { id: string };
    const other = await createOrganization(api.database);
    const path = (orgId: string) => `/api/orgs/${orgId}/webhooks/${id}`;
    expect((await api.call("GET", path(other.orgId), { key: other.keys.owner })).status).toBe(404);
    expect((await api.call("GET", path(organization.orgId), { key: other.keys.owner })).status).toBe(403);
  });

  it("for an agent that is not there is refused", async () => {
    expect((await manage({ url: URL_OK, agentId: "agt_none" })).status).toBe(404);
    expect((await manage({ url: URL_OK, agentId: organization.agentId })).status).toBe(201);
  });
});

describe("an endpoint on the REST-hooks API", () => {
  it.each([
    { target_url: URL_OK, include_recording: true },
    { targetUrl: URL_OK, includeRecording: true },
    { url: URL_OK, include_recording: true },
  ])("is registered flat, in either casing: %j", async (body) => {
    const answer = await hook({ ...body, events: ["call.ended"] });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      target_url: URL_OK,
      events: ["call.ended"],
      include_recording: true,
    });
    expect(answer.body.signing_secret).toMatch(/^whsec_/);
  });

  it.each([
    [{ target_url: URL_OK, events: ["no.such.event"] }, "catalog"],
    [{ target_url: URL_OK, url: URL_OK }, "exactly one"],
    [{}, "exactly one"],
    [{ target_url: URL_OK, secret: "mine" }, "secret"],
  ])("says what is wrong with %j", async (body, why) => {
    const answer = await hook(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(why);
  });

  it("is deleted by the id in the path, or in the body", async () => {
    const key = organization.keys.developer;
    const first = (await hook({ target_url: URL_OK })).body.id as string;
    const second = (await hook({ target_url: URL_OK })).body.id as string;
    expect((await api.call("DELETE", `/api/v1/hooks/${first}`, { key })).body).toEqual({
      id: first,
      deleted: true,
    });
    expect((await api.call("DELETE", "/api/v1/hooks", { key, body: { id: second } })).status).toBe(200);
    expect((await api.call("DELETE", `/api/v1/hooks/${first}`, { key })).status).toBe(404);
  });
});

describe("the sample of an event", () => {
  const sample = (query: string) =>
    api.call("GET", `/api/v1/events/sample?${query}`, { key: organization.keys.viewer });

  it("is a canned one until there was a real one", async () => {
    const answer = await sample("type=call.ended");
    expect(answer.body).toMatchObject({
      event_type: "call.ended",
      is_real: false,
      samples: [{ event: "call.ended" }],
    });
    expect((await sample("event=billing.invoice_issued")).status).toBe(200);
  });

  it.each(["event_type=call.ended", "type=no.such.event", "", "type=call.ended&x=1"])(
    "is a 400 for %j",
    async (query) => {
      expect((await sample(query)).status).toBe(400);
    },
  );
});

/** Every spelling of an address that is not to be called. */
const REFUSED = [
  "http://93.184.215.14/",
  "ftp://93.184.215.14/",
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://0/",
  "https://0.0.0.0/",
  "https://localhost/",
  "https://localhost./",
  "https://10.0.0.1/",
  "https://172.16.0.1/",
  "https://172.31.255.255/",
  "https://192.168.1.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://168.63.129.16/",
  "https://100.64.0.1/",
  "https://198.18.0.1/",
  "https://192.0.0.1/",
  "https://192.0.2.1/",
  "https://198.51.100.1/",
  "https://203.0.113.1/",
  "https://224.0.0.1/",
  "https://240.0.0.1/",
  "https://255.255.255.255/",
  "https://[::1]/",
  "https://[::]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::127.0.0.1]/",
  "https://[fc00::1]/",
  "https://[fd12:3456::1]/",
  "https://[fe80::1]/",
  "https://[ff02::1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[2002:7f00:1::]/",
  "https://[2001::1]/",
  "https://[2001:db8::1]/",
  "https://user@93.184.215.14/",
  "https://user:password@93.184.215.14/",
  "https://①②⑦.⓪.⓪.①/",
  "https://127。0。0。1/",
  "https://no-such-name.invalid/",
  "https://",
  "https:///hook",
  "//93.184.215.14/",
  "93.184.215.14",
  "javascript:alert(1)",
  "file:///etc/passwd",
];

describe("the address of an endpoint", () => {
  it.each(REFUSED)("%s is refused", async (url) => {
    const answer = await manage({ url });
    expect(answer.status).toBe(400);
    expect(["blocked_address", "bad_request"]).toContain(answer.body.code);
  });

  it.each([
    "https://93.184.215.14:8443/hook?a=1",
    "https://[2606:4700:4700::1111]/",
    "https://1.1.1.1./",
    "https://172.32.0.1/",
  ])("%s is taken", async (url) => {
    expect((await manage({ url })).status).toBe(201);
  });
});
