import { framesChannel } from "@parley/shared/contracts/stream-frames.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { connectAccount, dials } from "../../../testkit/carrier-account.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { FakeCarrier } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { startFakeTwilio, TWILIO_ACCOUNT } from "../../../testkit/fakes/carriers/twilio.ts";
import { keepCall } from "../../../testkit/kept-call.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { TestPerson } from "../../../testkit/person.ts";

const secretsKey = `test:${Buffer.alloc(32, 5).toString("base64")}`;
const FROM = "+12025550123";
const BRAIN = { kind: "model", model: "m-1", prompt: "Be brief.", secret: "sk-secret-123" };
const READS = ["agents:read", "agents:config:read"];
const SCOPES = [
  "campaigns:write",
  ...READS,
  ...["agents:config:write:prompt", "agents:config:write:voice", "agents:config:write:flow"],
  ...["calls:read", "calls:initiate", "connection:demo-shop"],
];
const AGENTS = [
  { id: "greeter", name: "Greeter", config: { brain: BRAIN } },
  { id: "closer", name: "Closer", kind: "flow", config: {} },
  { id: "mute", name: "Mute", config: { brain: { ...BRAIN, handsTo: ["agt_none"] } } },
];
const TEAMS = [
  { id: "desk", agents: ["greeter", "closer"] },
  { id: "broken", agents: ["greeter", "mute"] },
];
const MANIFEST = { agents: AGENTS, teams: TEAMS };

let fake: FakeCarrier;
let api: TestControlApi;
let person: TestPerson;
let bridge: TestBridge;
let agentId: string;
beforeAll(async () => {
  fake = await startFakeTwilio();
  api = await TestControlApi.start({
    env: { TWILIO_API_URL: fake.url },
    secretsKey,
    allowPrivateTargets: ["127.0.0.0/8"],
  });
  await api.registerNode();
  person = await TestPerson.register(api);
  bridge = await TestBridge.open(person, await installApp(person, { scopes: SCOPES, manifest: MANIFEST }));
  const made = await person.call("POST", "/api/agents", { name: "Front desk", brain: BRAIN });
  agentId = (made.body.data as { id: string }).id;
});
afterAll(async () => {
  await api.close();
  await fake.close();
});

describe("an agent", () => {
  it("is read by group, without addresses and secrets", async () => {
    const read = await bridge.call("agents.getConfig", { agentId });
    expect(read).toMatchObject({
      agentId,
      kind: "single",
      config: { prompt: { prompt: "Be brief." }, model: { model: "m-1" }, behavior: { recording: true } },
    });
    expect(JSON.stringify(read)).not.toContain("sk-secret");
  });

  it("is changed by the user in groups of which the app has the scope, as a version that keeps its secret", async () => {
    const config = { prompt: { prompt: "Be kind.", firstResponse: "Hello" } };
    expect(await bridge.call("agents.updateConfig", { agentId, config })).toMatchObject({
      config: { prompt: { prompt: "Be kind.", firstResponse: "Hello" }, model: { model: "m-1" } },
    });
    const { body } = await person.call("GET", `/api/agents/${agentId}/versions`);
    expect(body.data).toMatchObject({
      versions: [{ version: 2, createdBy: { kind: "user", id: person.userId } }, {}],
    });
    expect((await person.call("GET", `/api/agents/${agentId}`)).body.data).toMatchObject({
      brain: { hasSecret: true },
    });
    const both = { ...config, model: { model: "m-2" } };
    await expect(bridge.call("agents.updateConfig", { agentId, config: both })).rejects.toMatchObject({
      code: "scope_missing",
      details: { scope: "agents:config:write:model" },
    });
  });

  it("that follows a flow is read and changed with it, and one without a flow gets none", async () => {
    const node = { id: "hi", type: "say", text: "Welcome." };
    const end = { id: "bye", type: "end" };
    const flow = { start: "hi", nodes: [node, end], edges: [{ from: "hi", to: "bye" }] };
    const made = await person.call("POST", "/api/agents", { name: "Guide", brain: { kind: "flow", flow } });
    const { id } = made.body.data as { id: string };
    expect(await bridge.call("agents.getConfig", { agentId: id })).toMatchObject({
      ...{ kind: "flow", config: { flow: { start: "hi", nodes: [node, end], exits: [] } } },
    });
    const config = { flow: { nodes: [{ ...node, text: "Good day." }, end] } };
    expect(await bridge.call("agents.updateConfig", { agentId: id, config })).toMatchObject({
      config: { flow: { start: "hi", nodes: [{ id: "hi", text: "Good day." }, end] } },
    });
    const lost = bridge.call("agents.updateConfig", { agentId: id, config: { flow: { start: "nowhere" } } });
    await expect(lost).rejects.toMatchObject({ code: "invalid_arguments" });
    await expect(bridge.call("agents.updateConfig", { agentId, config })).rejects.toMatchObject({
      ...{ code: "invalid_arguments", message: expect.stringContaining("no flow") },
    });
  });

  it("is not sent elsewhere, whatever group an address is put into", async () => {
    for (const field of ["url", "secret", "brain", "apiAccess"])
      await expect(
        bridge.call("agents.updateConfig", {
          agentId,
          config: { prompt: { [field]: "https://evil.example" } },
        }),
        field,
      ).rejects.toMatchObject({ code: "invalid_arguments" });
  });

  it("is made of a template, and so is a team, of which a flow is left out", async () => {
    const made = (await bridge.call("agents.createFromTemplate", { templateId: "greeter" })) as {
      agentId: string;
    };
    expect((await person.call("GET", `/api/agents/${made.agentId}`)).body.data).toMatchObject({
      name: "Greeter",
    });
    const team = await bridge.call("agents.createTeamFromTemplate", { teamId: "desk" });
    expect(team).toEqual({
      teamId: "desk",
      entryAgentId: expect.stringMatching(/^agt_/),
      agents: [
        { ref: "greeter", agentId: expect.stringMatching(/^agt_/), kind: "single" },
        { ref: "closer", agentId: null, kind: "flow" },
      ],
    });
    await expect(bridge.call("agents.createFromTemplate", { templateId: "none" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

const agentNames = async (): Promise<string[]> => {
  const listed = (await bridge.call("agents.list")) as { name: string }[];
  return listed.map(({ name }) => name);
};

describe("templates of Parley's own", () => {
  it("make agents and teams where the manifest has none of that id", async () => {
    const { AGENT_TEMPLATES, TEAM_TEMPLATES } = await import("../../agents/templates/catalog.ts");
    const [agent, team] = [AGENT_TEMPLATES[0], TEAM_TEMPLATES[0]];
    const one = await bridge.call("agents.createFromTemplate", { templateId: agent?.id });
    expect(one).toEqual({ agentId: expect.stringMatching(/^agt_/), kind: agent?.kind });
    const all = (await bridge.call("agents.createTeamFromTemplate", { teamId: team?.id })) as {
      entryAgentId: string;
      agents: { agentId: string }[];
    };
    expect(all.agents).toHaveLength(team?.agents.length ?? 0);
    expect(all.entryAgentId).toBe(all.agents.at(-1)?.agentId);
  });
});

it("leaves nothing of a team behind of which a later agent cannot be made", async () => {
  const before = await agentNames();
  await expect(bridge.call("agents.createTeamFromTemplate", { teamId: "broken" })).rejects.toMatchObject({
    code: "invalid_arguments",
  });
  expect(await agentNames()).toEqual(before);
});

it("leaves a row of what an app changes in the audit log, and none of what it reads", async () => {
  const writes = () =>
    api.database.db
      .selectFrom("audit_events")
      .select(["actor_id", "details"])
      .where("org_id", "=", person.orgId)
      .where("action", "=", "app.wrote")
      .orderBy("id", "desc")
      .execute();
  const before = (await writes()).length;
  await bridge.call("agents.getConfig", { agentId });
  await bridge.call("agents.updateConfig", { agentId, config: { prompt: { prompt: "Be quick." } } });
  const after = await writes();
  expect(after).toHaveLength(before + 1);
  expect(after[0]).toMatchObject({
    actor_id: person.userId,
    details: { method: "agents.updateConfig", agentId, appId: expect.stringMatching(/^app_/) },
  });
});

describe("a call", () => {
  it("is placed with variables, once, and only by an agent of the organization", async () => {
    await connectAccount(api.database, {
      orgId: person.orgId,
      secretsKey,
      ...{ carrier: "twilio", credentials: TWILIO_ACCOUNT, number: FROM },
    });
    const placed = await bridge.call("calls.initiate", {
      agentId,
      phone: "+12025550199",
      variables: { name: "Ada" },
    });
    expect(placed).toEqual({ sessionId: expect.stringMatching(/^ses_/) });
    expect(dials(fake)).toBe(1);
    const other = await TestPerson.register(api);
    const theirs = await other.call("POST", "/api/agents", { name: "Theirs", brain: BRAIN });
    const { id } = theirs.body.data as { id: string };
    await expect(bridge.call("calls.initiate", { agentId: id, phone: "+12025550198" })).rejects.toMatchObject(
      {
        code: "not_found",
      },
    );
    expect(dials(fake)).toBe(1);
  });

  it("that ended is read with its transcript", async () => {
    const path = `/api/orgs/${person.orgId}/api-keys`;
    const made = await person.call("POST", path, { name: "for a call", role: "owner" });
    const { secret } = made.body.data as { secret: string };
    const org = { orgId: person.orgId, agentId, keys: { owner: secret } } as TestOrganization;
    const { sessionId } = await keepCall(api, org, { said: ["Where is my order?"] });
    expect(await bridge.call("calls.get", { sessionId })).toMatchObject({
      id: sessionId,
      channel: "web_call",
      summary: null,
      transcript: [{ role: "user", text: "Where is my order?" }],
    });
    const of = (channel: string) => bridge.call("calls.history", { filters: { channel } });
    expect(await of("web_call")).toContainEqual(expect.objectContaining({ id: sessionId }));
    expect(await of("web_chat")).toEqual([]);
    await expect(of("chat")).rejects.toMatchObject({
      message: expect.stringContaining("web_call, web_chat"),
    });
    await expect(bridge.subscribe("stream.subscribe", { sessionId }, () => undefined)).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("that is in progress is followed until it ends, and by nobody else", async () => {
    const { body } = await person.call("POST", "/api/sessions/init-web-call", { agentId });
    const { sessionId } = body.data as { sessionId: string };
    const heard: unknown[] = [];
    const ended = new Promise<unknown>((resolve) => {
      void bridge
        .subscribe("stream.subscribe", { sessionId }, (event) => heard.push(event), resolve)
        .then(() => {
          const publish = (topic: string, data: object) =>
            api.bus.channels.publish(framesChannel(sessionId), JSON.stringify({ topic, sessionId, data }));
          void publish("call.dtmf", { digit: "5" })
            .then(() => publish("stream.gap", { dropped: 1 }))
            .then(() => publish("call.ended", { reason: "hangup", durationSecs: 1 }));
        });
    });
    expect(await ended).toMatchObject({ code: "conflict", retryable: false });
    expect(heard).toEqual([{ topic: "call.dtmf", sessionId, data: { digit: "5" } }]);
    const other = await TestPerson.register(api);
    const theirs = await TestBridge.open(other, await installApp(other, { scopes: ["calls:read"] }));
    await expect(theirs.subscribe("stream.subscribe", { sessionId }, () => undefined)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("a campaign", () => {
  it("gets people to call from an app, each once, and is listed and read", async () => {
    const path = `/api/orgs/${person.orgId}/campaigns`;
    const made = await person.call("POST", path, { name: "Renewals", agentId });
    const { id } = made.body.data as { id: string };
    const rows = [
      { phone: "+12025550111", variables: { name: "Ada" }, plan: "gold" },
      { phone: "+12025550111" },
      { phone: "none" },
    ];
    expect(await bridge.call("campaigns.addTargets", { campaignId: id, rows })).toEqual({ added: 1 });
    const { body } = await person.call("GET", `${path}/${id}/targets`);
    expect(body.data).toMatchObject({
      targets: [{ phone: "+12025550111", variables: { name: "Ada", plan: "gold" } }],
    });
    const campaign = { id, name: "Renewals", status: "draft" };
    expect(await bridge.call("campaigns.list", {})).toEqual([campaign]);
    expect(await bridge.call("campaigns.get", { campaignId: id })).toEqual(campaign);
    expect(await bridge.call("campaigns.get", { campaignId: "cmp_none" })).toBeNull();
    const many = Array.from({ length: 1_001 }, () => ({ phone: "+12025550111" }));
    await expect(bridge.call("campaigns.addTargets", { campaignId: id, rows: many })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });
});

describe("a connected account", () => {
  const invoke = (to: TestBridge, opts?: object) =>
    to.call("connector.invoke", { capability: "order.lookup", args: {}, ...(opts && { opts }) });

  it("does what a capability says, with what the app has bound; nothing without an account, or a scope for it", async () => {
    await expect(invoke(bridge)).rejects.toMatchObject({ code: "not_found" });
    const path = `/api/orgs/${person.orgId}/integrations/connections`;
    const made = await person.call("POST", path, { providerId: "demo-shop", credentials: {}, settings: {} });
    expect(made.status).toBe(201);
    const { connections } = (await bridge.call("connector.connections", { capability: "order.lookup" })) as {
      connections: { id: string }[];
    };
    expect(connections).toMatchObject([{ provider: "demo-shop", status: "active" }]);
    const found = await invoke(bridge, { binding: { settings: { orderNumber: "1001" } } });
    expect(found).toMatchObject({ result: { orders: [{}] } });
    await expect(invoke(bridge, { connectionId: "con_none" })).rejects.toMatchObject({ code: "not_found" });
    const bare = await TestBridge.open(person, await installApp(person, { id: "bare-app" }));
    expect(await bare.call("connector.connections", { capability: "order.lookup" })).toEqual({
      connections: [],
    });
    await expect(invoke(bare)).rejects.toMatchObject({
      code: "scope_missing",
      details: { scope: "connection:demo-shop" },
    });
  });
});
