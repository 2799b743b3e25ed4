import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";

const URL_OK = "https://93.184.215.14/hook";

let api: TestControlApi;
let organization: TestOrganization;
beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true });
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

  it("is replaced by what was read of it, with its nulls, on either surface", async () => {
    const { agentId, events, url } = (await manage({ url: URL_OK })).body.data as Record<string, unknown>;
    expect(agentId).toBeNull();
    expect((await manage({ url, agentId, events })).status).toBe(201);
    expect((await manage({ url, agentId, events: null })).body.data).toMatchObject({ events: ["*"] });
    const nulls = { target_url: URL_OK, agent_id: null, agentId: null, events: null };
    expect((await hook(nulls)).body).toMatchObject({ agent_id: null, events: ["*"] });
  });

  it("takes an event name of any length, and none at all", async () => {
    const events = ["", "x".repeat(10_000), "call.ended"];
    const answer = await manage({ url: URL_OK, events });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ events });
  });

  it("is one of at most 50 in an organization, also when two are registered at once", async () => {
    const full = await createOrganization(api.database);
    const register = () =>
      api.call("POST", `/api/orgs/${full.orgId}/webhooks`, { key: full.keys.owner, body: { url: URL_OK } });
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(...(await Promise.all(Array.from({ length: 9 }, register))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.body.error).toBe("An organization can have up to 50 webhooks. Delete one first.");
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

describe("a name of this machine", () => {
  it("is no address of an endpoint, nor is any other spelling in address-spellings.test.ts", async () => {
    const answer = await manage({ url: "https://localhost/" });
    expect(answer).toMatchObject({ status: 400, body: { code: "blocked_address" } });
  });
});
