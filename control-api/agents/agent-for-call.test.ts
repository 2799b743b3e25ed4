import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../tests/support/control-api.ts";
import { TestMembers } from "../../tests/support/members.ts";

let api: TestControlApi;
let members: TestMembers;

beforeAll(async () => {
  api = await TestControlApi.start();
  members = await TestMembers.create(api);
  await api.registerNode({ maxCalls: 100 });
});
afterAll(() => api.close());

const INIT = "/api/sessions/init-web-call";
const call = (method: string, path: string, body: unknown) =>
  api.call(method, path, { key: members.keys.developer, body });

async function created(settings: Record<string, unknown>): Promise<string> {
  const body = { name: "Anna", brain: { url: "https://brain.example/" }, ...settings };
  const answer = await call("POST", "/api/agents", body);
  return (answer.body.data as { id: string }).id;
}

describe("a call with an agent that requires variables", () => {
  const VARIABLES = [
    { name: "order_id", required: true, description: "The order the call is about." },
    { name: "customer_name", required: true },
    { name: "nickname" },
  ];

  it.each<[string, Record<string, unknown>, string[]]>([
    ["none", {}, ["order_id", "customer_name"]],
    ["one of two", { order_id: "7" }, ["customer_name"]],
    ["a blank one", { order_id: " ", customer_name: "Ann" }, ["order_id"]],
  ])("and %s is a 400 that names what is missing", async (_what, variables, missing) => {
    const agentId = await created({ variables: VARIABLES });
    for (const path of [INIT, "/api/client-tokens"]) {
      const answer = await call("POST", path, { agentId, variables });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: "validation_failed", details: { missingVariables: missing } },
      });
      for (const name of missing) expect(answer.body.error).toContain(`variables.${name}`);
      expect(answer.body.error).not.toContain("nickname");
    }
  });

  it("begins when they are there, and with built-in ones by themselves", async () => {
    const agentId = await created({ variables: [...VARIABLES, { name: "current_date", required: true }] });
    const variables = { order_id: "7", customer_name: "Ann" };
    expect((await call("POST", INIT, { agentId, variables })).status).toBe(200);
  });

  it("is refused by the token that was minted before they were required", async () => {
    const agentId = await created({});
    const minted = await call("POST", "/api/client-tokens", { agentId });
    const { token } = minted.body.data as { token: string };
    await call("PATCH", `/api/agents/${agentId}`, { variables: VARIABLES });
    expect((await api.call("POST", INIT, { token })).status).toBe(400);
    await call("PATCH", `/api/agents/${agentId}`, { variables: [] });
    expect((await api.call("POST", INIT, { token })).status).toBe(200);
  });
});

describe("an agent with API access off", () => {
  it("takes no calls by API key or client token, and those of signed-in users", async () => {
    const agentId = await created({});
    const minted = await call("POST", "/api/client-tokens", { agentId });
    const { token } = minted.body.data as { token: string };
    await call("PATCH", `/api/agents/${agentId}`, { apiAccess: false });
    const body = { agentId };
    const refused = { status: 403, body: { success: false, code: "api_access_off" } };
    expect(await api.call("POST", INIT, { key: members.keys.owner, body })).toMatchObject(refused);
    expect(await api.call("POST", INIT, { token })).toMatchObject(refused);
    expect(await call("POST", "/api/client-tokens", body)).toMatchObject(refused);
    const signedIn = { token: await members.token("developer"), orgId: members.orgId, body };
    expect((await api.call("POST", INIT, signedIn)).status).toBe(200);
  });

  it("takes them again when it is on, also by the client token that was refused", async () => {
    const agentId = await created({});
    const minted = await call("POST", "/api/client-tokens", { agentId });
    const { token } = minted.body.data as { token: string };
    await call("PATCH", `/api/agents/${agentId}`, { apiAccess: false });
    expect((await api.call("POST", INIT, { token })).status).toBe(403);
    await call("PATCH", `/api/agents/${agentId}`, { apiAccess: true });
    expect((await call("POST", INIT, { agentId })).status).toBe(200);
    expect((await api.call("POST", INIT, { token })).status).toBe(200);
  });
});

describe("a call", () => {
  it("records the version of the agent it ran with, whatever the agent becomes", async () => {
    const agentId = await created({});
    const begin = async () =>
      ((await call("POST", INIT, { agentId })).body.data as { sessionId: string }).sessionId;
    const first = await begin();
    await call("PATCH", `/api/agents/${agentId}`, { recording: false });
    const second = await begin();
    for (const [sessionId, agentVersion] of [
      [first, 1],
      [second, 2],
    ]) {
      const record = await api.call("GET", `/api/v1/calls/${sessionId}`, { key: members.keys.viewer });
      expect(record.body).toMatchObject({ agentId, agentVersion });
    }
  });
});
