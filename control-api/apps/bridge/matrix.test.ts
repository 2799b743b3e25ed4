import type { Method } from "@parley/platform/methods/define.ts";
import { passesGate } from "@parley/platform/methods/gates.ts";
import { METHODS, type MethodName } from "@parley/platform/methods/table.ts";
import { permissionsOf, ROLES, type Role } from "@parley/shared/contracts/roles.ts";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agree, bundleOf, installApp, listForAll, publishZip, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { memberOnly } from "../../../testkit/members.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { FrameBounds } from "./frame-bounds.ts";

/** Arguments that each method takes. */
const ARGUMENTS: { [N in MethodName]?: object } = {
  "data.list": { type: "note" },
  "data.count": { type: "note" },
  "data.create": { type: "note", data: { title: "a" } },
  "data.update": { type: "note", id: "obj_none", data: {} },
  "data.remove": { type: "note", id: "obj_none" },
  "data.subscribe": { type: "note" },
  "agents.list": {},
  "agents.createFromTemplate": { templateId: "t" },
  "agents.createTeamFromTemplate": { teamId: "t" },
  "agents.publicLink": { agentId: "agt_none" },
  "agents.setPublic": { agentId: "agt_none" },
  "agents.getConfig": { agentId: "agt_none" },
  "agents.updateConfig": { agentId: "agt_none", config: { prompt: {} } },
  "calls.initiate": { agentId: "agt_none", phone: "+15550100" },
  "calls.history": {},
  "calls.get": { sessionId: "ses_none" },
  "calls.open": { sessionId: "ses_none" },
  "stream.subscribe": { sessionId: "ses_none" },
  "softphone.dial": { phone: "+15550100" },
  "whatsapp.channels": {},
  "whatsapp.send": { channelId: "c", phone: "+15550100", text: "Hi" },
  "session.token": {},
  "http.fetch": { request: { url: "https://api.example.com/" } },
  "files.put": { path: "a.txt" },
  "files.get": { path: "a.txt" },
  "files.list": {},
  "files.delete": { path: "a.txt" },
  "files.extractText": { path: "a.txt" },
  "ai.llm": { request: { messages: [{ role: "user", content: "Hi" }] } },
  "ai.llmStream": { request: { messages: [{ role: "user", content: "Hi" }] } },
  "ai.models": {},
  "links.mint": { spec: { action: "agent_call", targetType: "agent", targetId: "a", ttlSecs: 600 } },
  "links.list": {},
  "links.revoke": { id: "l" },
  "members.list": {},
  "campaigns.addTargets": { campaignId: "c", rows: [{}] },
  "campaigns.get": { campaignId: "c" },
  "campaigns.list": {},
  "connector.connections": { capability: "order.lookup" },
  "connector.invoke": { capability: "order.lookup", args: {} },
};
const SCOPES = [
  ...["objects:note", "agents:read", "agents:write", "agents:config:read", "agents:config:write:prompt"],
  ...[
    "calls:read",
    "calls:initiate",
    "softphone:dial",
    "whatsapp:send",
    "session:token",
    "http:api.example.com",
  ],
  "connection:demo-shop",
  ...["files:read", "files:write", "ai:llm", "links:read", "links:write", "members:read", "campaigns:write"],
];
/** What a call that may be made says where what it names is not there. */
const PAST_THE_GATES = ["not_found", "unavailable", "address_refused", "vendor_failed"];
const SERVER_METHODS: readonly Method[] = METHODS.filter(({ runsIn }) => runsIn === "server");

let api: TestControlApi;
let owner: TestPerson;
let granted: TestBridge;
let bare: TestBridge;
let grantedId: string;
const members = new Map<Role, { readonly person: TestPerson; readonly bridge: TestBridge }>();
beforeAll(async () => {
  api = await TestControlApi.start();
  owner = await TestPerson.register(api);
  grantedId = await installApp(owner, { id: "granted-app", scopes: SCOPES });
  granted = await TestBridge.open(owner, grantedId);
  const brain = { kind: "model", model: "m-1", prompt: "Be brief." };
  const made = await owner.call("POST", "/api/agents", { name: "Front desk", brain });
  ARGUMENTS["agents.publicLink"] = { agentId: (made.body.data as { id: string }).id };
  bare = await TestBridge.open(owner, await installApp(owner, { id: "bare-app" }));
  for (const role of ROLES.filter((one) => one !== "owner")) {
    const person = await memberOnly(api, owner.orgId, role);
    members.set(role, { person, bridge: await TestBridge.open(person, grantedId, owner.orgId) });
  }
});
afterAll(() => api.close());

const isSubscription = ({ streams }: Method): boolean => streams === "subscription";
const argumentsOf = ({ name }: Method): object => ARGUMENTS[name as MethodName] ?? {};

/** The code of a refusal, or "in". */
async function outcomeOf(bridge: TestBridge, method: Method, params = argumentsOf(method)): Promise<string> {
  try {
    if (isSubscription(method)) (await bridge.subscribe(method.name, params, () => undefined))();
    else if (method.streams) await bridge.stream(method.name, params);
    else if (method.bytes) await bridge.callWithBytes(method.name, params);
    else {
      const result = await bridge.call(method.name, params);
      expect(method.result.safeParse(result).error, method.name).toBeUndefined();
    }
    return "in";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

it("has arguments for each method that the server carries out", () => {
  expect(Object.keys(ARGUMENTS).sort()).toEqual(SERVER_METHODS.map(({ name }) => name).sort());
});

describe.each(SERVER_METHODS.map((method) => [method.name, method] as const))("%s", (name, method) => {
  it("is carried out when it is allowed, or says that its system is not there", async () => {
    const outcome = await outcomeOf(granted, method);
    expect(["in", ...PAST_THE_GATES]).toContain(outcome);
    if (method.empty !== undefined) expect(outcome).toBe("in");
  });

  it("refuses arguments that do not fit, and names the field", async () => {
    const params = { ...argumentsOf(method), nonsense: 1 };
    expect(await outcomeOf(granted, method, params)).toBe("invalid_arguments");
  });

  // What a server decides by the provider that is asked for has its own tests; a method without a scope has none.
  if (method.scope.kind !== "none" && method.scope.kind !== "server")
    it("refuses an app that has no scope for it", async () => {
      expect(await outcomeOf(bare, method)).toBe("scope_missing");
    });

  it("asks for the role that its gate names", async () => {
    for (const [role, { bridge }] of members) {
      const outcome = await outcomeOf(bridge, method);
      if (passesGate(method.gate, { role, permissions: permissionsOf(role) }))
        expect(outcome, role).not.toBe("role_forbidden");
      else expect(outcome, role).toBe("role_forbidden");
    }
  });

  it("refuses the token of a frame in the hands of another member", async () => {
    const viewer = members.get("viewer");
    if (!viewer) throw new Error("no viewer");
    expect(await outcomeOf(granted.as(viewer.person), method)).toBe("frame_expired");
  });

  it("is called so often in a minute, and so often at once", () => {
    let nowMs = 0;
    const bounds = new FrameBounds(() => nowMs);
    const frame = { orgId: "org_1", frameId: "frm_1" };
    const { perMinute, inFlight } = method.limits;
    const code = (): string => {
      try {
        bounds.begin(frame, method)();
        return "in";
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    if (isSubscription(method)) return;
    for (let i = 0; i < perMinute; i++) expect(code()).toBe("in");
    expect(code()).toBe("rate_limited");
    nowMs += 60_000;
    const open = Array.from({ length: inFlight }, () => bounds.begin(frame, method));
    expect(code()).toBe("rate_limited");
    open[0]?.();
    expect(code()).toBe("in");
    expect(name).toBe(method.name);
  });
});

describe("a call", () => {
  it("of a method of the host, or of none, is refused", async () => {
    for (const name of ["ui.toast", "theme.mode", "data.drop", "constructor", "__proto__"])
      await expect(granted.call(name)).rejects.toMatchObject({ code: "unknown_method" });
  });

  it("in another organization is refused, whichever of them the frame is of", async () => {
    const other = await TestPerson.register(api);
    await listForAll(api, grantedId);
    await agree(other, grantedId, { scopes: SCOPES });
    await expect(granted.as(other, other.orgId).call("data.list", { type: "note" })).rejects.toMatchObject({
      code: "frame_expired",
    });
    const theirs = await TestBridge.open(other, grantedId);
    await granted.call("data.create", { type: "note", data: { title: "secret" } });
    expect(await theirs.call("data.list", { type: "note" })).toEqual([]);
  });

  it("after its app was uninstalled, or its version withdrawn, is refused as gone; subscriptions as well", async () => {
    const id = await installApp(owner, { id: "short-lived", scopes: ["objects:note"] });
    const bridge = await TestBridge.open(owner, id);
    expect(await bridge.call("data.list", { type: "note" })).toEqual([]);
    await publishZip(owner, bundleOf({ id: "short-lived", version: "2.0.0", scopes: ["objects:note"] }));
    expect(await bridge.call("data.list", { type: "note" })).toEqual([]);
    await owner.call("POST", `/api/orgs/${owner.orgId}/apps/${id}/versions/1.0.0/withdraw`);
    await expect(bridge.call("data.list", { type: "note" })).rejects.toMatchObject({ code: "app_gone" });
    const again = await TestBridge.open(owner, id);
    await owner.call("DELETE", `/api/orgs/${owner.orgId}/apps/${id}/install`);
    await expect(again.call("data.list", { type: "note" })).rejects.toMatchObject({ code: "app_gone" });
    await expect(again.subscribe("data.subscribe", { type: "note" }, () => undefined)).rejects.toMatchObject({
      code: "app_gone",
    });
  });

  it("has the scopes that were agreed to and no more, whatever its version asks for", async () => {
    const id = await installApp(owner, { id: "greedy-app", scopes: ["objects:note"] });
    await publishZip(
      owner,
      bundleOf({ id: "greedy-app", version: "2.0.0", scopes: ["objects:note", "members:read"] }),
    );
    const bridge = await TestBridge.open(owner, id);
    await expect(bridge.call("members.list")).rejects.toMatchObject({ code: "scope_missing" });
  });

  it("by a member whose role was lowered while the frame is open is refused at once", async () => {
    const person = await memberOnly(api, owner.orgId, "developer");
    const bridge = await TestBridge.open(person, grantedId, owner.orgId);
    expect(await bridge.call("whatsapp.channels")).toEqual([]);
    const path = `/api/orgs/${owner.orgId}/members/${person.userId}`;
    expect((await owner.call("PATCH", path, { role: "viewer" })).status).toBe(200);
    await expect(bridge.call("whatsapp.channels")).rejects.toMatchObject({ code: "role_forbidden" });
    expect(await bridge.call("data.list", { type: "note" })).toBeInstanceOf(Array);
    expect((await owner.call("DELETE", path)).status).toBe(200);
    await expect(bridge.call("data.list", { type: "note" })).rejects.toThrow();
  });

  it("of a method with raw bytes is refused where there are none", async () => {
    await expect(granted.call("files.get", { path: "a.txt" })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });

  it("without a token, or with one that was made up, is refused", async () => {
    const forged = granted.as(owner);
    for (const token of ["", "v1.test.AAAA", granted.token.slice(0, -4)]) {
      forged.token = token;
      await expect(forged.call("data.list", { type: "note" })).rejects.toMatchObject({
        code: "frame_expired",
        retryable: false,
      });
    }
  });

  it("gives a token that the app's backend verifies with the published keys", async () => {
    const { token } = (await granted.call("session.token")) as { token: string };
    const { body } = await api.call("GET", "/.well-known/jwks.json");
    const jwks = createLocalJWKSet(body as unknown as JSONWebKeySet);
    const { payload } = await jwtVerify(token, jwks, { audience: `app:${grantedId}`, typ: "app+jwt" });
    expect(payload).toMatchObject({ sub: owner.userId, org: owner.orgId, role: "owner" });
    expect((await api.call("GET", "/api/auth/me", { token })).status).toBe(401);
  });
});
