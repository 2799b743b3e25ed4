import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";

const BRAIN = { kind: "model", model: "m-1", prompt: "Be brief." };
const SCOPES = ["agents:read", "agents:write", "links:read", "links:write"];

let clock: SteppingClock;
let api: TestControlApi;
let person: TestPerson;
let appId: string;
let bridge: TestBridge;
let agentId: string;
let slug: string;
beforeAll(async () => {
  clock = new SteppingClock();
  api = await TestControlApi.start({ clock });
  await api.registerNode({ maxCalls: 1_000 });
  person = await TestPerson.register(api);
  appId = await installApp(person, { scopes: SCOPES });
  bridge = await TestBridge.open(person, appId);
  const made = await person.call("POST", "/api/agents", { name: "Front desk", brain: BRAIN });
  agentId = (made.body.data as { id: string }).id;
});
afterAll(() => api.close());

const spec = (more: object = {}) => ({
  ...{ action: "agent_call", targetType: "agent", targetId: agentId, ttlSecs: 3_600 },
  ...{ context: { slug, variables: { order: "1001" } }, ...more },
});
async function mint(more: object = {}): Promise<{ id: string; token: string }> {
  const made = (await bridge.call("links.mint", { spec: spec(more) })) as { id: string; url: string };
  expect(made.url.startsWith(`${api.api.baseUrl}/l/`)).toBe(true);
  return { id: made.id, token: made.url.split("/l/")[1] ?? "" };
}
const read = (token: string) => api.call("POST", "/api/public/links/read", { body: { token } });
const open = (token: string, more: object = {}) =>
  api.call("POST", "/api/public/links/sessions", { body: { token, mode: "call", ...more } });

describe("a public link", () => {
  it("is read and made by an app, and outlives being private", async () => {
    const link = () => bridge.call("agents.publicLink", { agentId });
    expect(await link()).toEqual({ isPublic: false, slug: null, publicUrl: null, embedSnippet: null });
    const made = (await bridge.call("agents.setPublic", { agentId })) as { slug: string };
    slug = made.slug;
    expect(made).toEqual({
      ...{ isPublic: true, slug: expect.stringMatching(/^front-desk-/) },
      publicUrl: `${api.api.baseUrl}/a/${slug}`,
      embedSnippet: expect.stringContaining(`data-agent="${slug}"`),
    });
    expect(await bridge.call("agents.setPublic", { agentId, isPublic: false })).toMatchObject({
      ...{ isPublic: false, slug },
    });
    await bridge.call("agents.setPublic", { agentId, isPublic: true });
    expect(await link()).toEqual(made);
  });

  it("is the same object for the app's own backend, by the app's key and its scopes", async () => {
    const keyOf = async (id: string): Promise<string> => {
      const made = await person.call("POST", `/api/orgs/${person.orgId}/apps/${id}/keys`, {
        name: "Backend",
      });
      return (made.body.data as { secret: string }).secret;
    };
    const path = `/api/app-agents/${agentId}/public`;
    const token = await keyOf(appId);
    expect((await api.call("GET", path, { token })).body.data).toEqual(
      await bridge.call("agents.publicLink", { agentId }),
    );
    expect((await api.call("PUT", path, { token, body: { isPublic: false } })).body.data).toMatchObject({
      ...{ isPublic: false, slug },
    });
    expect((await api.call("PUT", path, { token, body: {} })).body.data).toMatchObject({ isPublic: true });
    const bare = await keyOf(await installApp(person, { id: "bare-app" }));
    expect(await api.call("GET", path, { token: bare })).toMatchObject({
      ...{ status: 403, body: { details: { scope: "agents:read" } } },
    });
    expect((await api.call("GET", path, { token: `${token}x` })).status).toBe(401);
    const other = await TestPerson.register(api);
    const theirs = await other.call("POST", "/api/agents", { name: "Theirs", brain: BRAIN });
    const { id } = theirs.body.data as { id: string };
    expect((await api.call("GET", `/api/app-agents/${id}/public`, { token })).status).toBe(404);
  });
});

describe("a link", () => {
  it("begins a call with its variables, and is told of without its token", async () => {
    const { id, token } = await mint();
    expect((await read(token)).body.data).toMatchObject({ title: "Front desk", modes: ["call", "chat"] });
    const { body } = await open(token);
    const { sessionId } = body.data as { sessionId: string };
    expect((await api.planOf(sessionId)).variables).toMatchObject({ order: "1001" });
    const links = (await bridge.call("links.list")) as { id: string }[];
    expect(links[0]).toMatchObject({ id, action: "agent_call", usedAt: expect.any(String), revokedAt: null });
    expect(JSON.stringify(links)).not.toContain(token);
    const stored = await api.database.db.selectFrom("app_links").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it("for single use is used by one of those who open it at once; reading it uses nothing", async () => {
    const { token } = await mint({ singleUse: true });
    expect((await read(token)).status).toBe(200);
    const statuses = (await Promise.all([1, 2, 3].map(() => open(token)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 410, 410]);
    expect((await read(token)).status).toBe(410);
  });

  it("for several keeps the time of its last use when an opening fails after it", async () => {
    const { token, id } = await mint();
    const usedAt = async () => {
      const links = (await bridge.call("links.list")) as { id: string; usedAt: string | null }[];
      return links.find((link) => link.id === id)?.usedAt;
    };
    expect((await open(token)).status).toBe(200);
    const at = await usedAt();
    expect(at).toEqual(expect.any(String));
    clock.step(1_000);
    const limit = async (limits: object) => {
      const path = `/api/agents/${agentId}/public`;
      expect((await person.call("PATCH", path, { limits })).status).toBe(200);
    };
    await limit({ perDay: 1 });
    expect((await open(token)).status).toBe(429);
    expect(await usedAt()).toBe(at);
    await limit({});
  });

  it("with a code opens for those who know it", async () => {
    const { token } = await mint({ code: "7788" });
    expect((await read(token)).body.data).toMatchObject({ needsCode: true });
    expect((await open(token)).status).toBe(403);
    expect((await open(token, { code: "8877" })).status).toBe(403);
    expect((await open(token, { code: "7788" })).status).toBe(200);
  });

  it("ends with its time, when it is revoked, when its agent is private, and with its app", async () => {
    const { token: late } = await mint({ ttlSecs: 60 });
    clock.step(61_000);
    expect((await read(late)).status).toBe(410);
    const { id, token } = await mint();
    expect(await bridge.call("links.revoke", { id })).toEqual({ revoked: true });
    expect(await bridge.call("links.revoke", { id })).toEqual({ revoked: false });
    expect((await open(token)).status).toBe(410);
    const { token: hidden } = await mint();
    await bridge.call("agents.setPublic", { agentId, isPublic: false });
    expect((await open(hidden)).status).toBe(410);
    await bridge.call("agents.setPublic", { agentId });
    expect((await open(hidden)).status).toBe(200);
    const install = `/api/orgs/${person.orgId}/apps/${appId}/install`;
    await person.call("DELETE", install);
    expect((await open(hidden)).status).toBe(404);
    const again = await person.call("PUT", install, { version: "1.0.0", scopes: SCOPES });
    expect(again.status).toBeLessThan(300);
    expect((await open(hidden)).status).toBe(404);
  });
});

describe("what is no link", () => {
  it("is not minted: an unknown action, another organization's agent, variables that are no texts", async () => {
    const other = await TestPerson.register(api);
    const theirs = await TestBridge.open(other, await installApp(other, { id: "their-app", scopes: SCOPES }));
    const mintThere = (more: object) => theirs.call("links.mint", { spec: spec(more) });
    await expect(mintThere({})).rejects.toMatchObject({ code: "not_found" });
    await expect(mintThere({ action: "form" })).rejects.toMatchObject({ code: "invalid_arguments" });
    await expect(mintThere({ context: { slug, variables: { a: 1 } } })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    expect((await read("no-such-token-anywhere")).status).toBe(404);
  });
});
