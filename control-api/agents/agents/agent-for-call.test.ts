import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestMembers } from "../../../testkit/members.ts";

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
  it("runs with everything that its agent was given", async () => {
    const given = {
      brain: { url: "https://brain.example/turn?tenant=7", payload: { tenant: 7 }, fallbackLine: "Pardon?" },
      stt: [{ vendor: "client", language: "de-DE" }],
      tts: [{ vendor: "deepgram", voice: "aura-2-zeus-en" }, { vendor: "flite" }],
      firstResponse: "Good morning.",
      turnTaking: {
        endpointing: { minMs: 111, maxMs: 2_222, speculative: false },
        bargeIn: { enabled: false, minWords: 3 },
        thinkingInterruption: { enabled: false },
        firstResponseInterruptible: false,
      },
      silence: { promptAfterMs: 3_333, prompts: ["Hello?"], hangupAfterMs: 4_444 },
      maxDurationMs: 55_555,
      recording: false,
    };
    const agentId = await created({ ...given, brain: { ...given.brain, secret: "eight or more" } });
    const begun = await call("POST", INIT, { agentId });
    const plan = await api.planOf((begun.body.data as { sessionId: string }).sessionId);
    expect(plan).toMatchObject(given);
    expect(plan.brain.secret).toBe("eight or more");
  });

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
