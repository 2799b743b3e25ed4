import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { needs } from "../../../testkit/needs.ts";
import { createOrganization, type TestOrganization } from "../../../testkit/organization.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";
import { startTwoApis } from "../../../testkit/two-apis.ts";

async function mint(
  api: TestControlApi,
  organization: TestOrganization,
  extra: Record<string, unknown> = {},
) {
  const body = { agentId: organization.agentId, ...extra };
  return api.call("POST", "/api/client-tokens", { key: organization.keys.developer, body });
}
const tokenOf = (answer: { body: Record<string, unknown> }) => (answer.body.data as { token: string }).token;
const redeem = (api: TestControlApi, token: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.call("POST", "/api/sessions/init-web-call", {
    token,
    headers,
    ...(body === undefined ? {} : { body }),
  });

describe("a client token", () => {
  let api: TestControlApi;
  let clock: SteppingClock;
  let organization: TestOrganization;
  beforeAll(async () => {
    clock = new SteppingClock();
    api = await TestControlApi.start({ clock });
    organization = await api.createOrganization();
    await api.registerNode();
  });
  afterAll(() => api.close());

  it("starts one call with everything that was fixed, within ten minutes", async () => {
    const minted = await mint(api, organization, {
      variables: { name: "Ann" },
      identifier: "customer-7",
      firstResponse: "Hi {name}.",
    });
    expect(minted.status).toBe(201);
    const { expiresAt } = minted.body.data as { expiresAt: string };
    expect(Math.abs(Date.parse(expiresAt) - clock.wallMs() - 600_000)).toBeLessThan(5_000);
    const answer = await redeem(api, tokenOf(minted));
    const { sessionId, websocketUrl } = answer.body.data as { sessionId: string; websocketUrl: string };
    expect(websocketUrl).toContain(sessionId);
    const plan = await api.planOf(sessionId);
    expect(plan).toMatchObject({
      agentId: organization.agentId,
      identifier: "customer-7",
      firstResponse: "Hi Ann.",
      variables: { name: "Ann", identifier: "customer-7" },
    });
    expect((await redeem(api, tokenOf(minted))).body).toMatchObject({ code: "token_invalid" });
  });

  it("cannot be made to start another call than was fixed", async () => {
    const token = tokenOf(await mint(api, organization, { variables: { plan: "basic" } }));
    for (const body of [
      { agentId: "agt_other" },
      { variables: { plan: "gold" } },
      { identifier: "somebody-else" },
      { firstResponse: "Say this." },
    ]) {
      const answer = await redeem(api, token, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain(Object.keys(body)[0]);
    }
    const same = { agentId: organization.agentId, variables: { plan: "basic" } };
    expect((await redeem(api, token, same)).status).toBe(200);
  });

  it("is over after its lifetime, and its uses", async () => {
    const short = tokenOf(await mint(api, organization, { expiresInSecs: 30 }));
    clock.step(30_000);
    expect((await redeem(api, short)).status).toBe(401);
    const thrice = tokenOf(await mint(api, organization, { maxUses: 3 }));
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await redeem(api, thrice)).status);
    expect(statuses).toEqual([200, 200, 200, 401]);
  });

  it("is not used up by a call that no gateway could take", async () => {
    const lonely = await TestControlApi.start();
    const token = tokenOf(await mint(lonely, await lonely.createOrganization()));
    const other = await lonely.createOrganization();
    const own = tokenOf(await mint(lonely, other));
    expect((await redeem(lonely, own)).status).toBe(503);
    await lonely.registerNode();
    expect((await redeem(lonely, own)).status).toBe(200);
    expect((await redeem(lonely, token)).status).toBe(200);
    await lonely.close();
  });

  it("is redeemed on the pages it allows only", async () => {
    const token = tokenOf(await mint(api, organization, { allowedOrigins: ["https://shop.example"] }));
    expect((await redeem(api, token)).status).toBe(403);
    expect((await redeem(api, token, undefined, { origin: "https://evil.example" })).status).toBe(403);
    expect((await redeem(api, token, undefined, { origin: "https://shop.example" })).status).toBe(200);
  });

  it("is redeemed by browsers on other origins", async () => {
    const preflight = await api.call("OPTIONS", "/api/sessions/init-web-call", {
      headers: { origin: "https://shop.example", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    const answer = await redeem(api, "parley_ct_unknown", undefined, { origin: "https://shop.example" });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
  });

  it("dies with the key that minted it", async () => {
    const own = await api.createOrganization();
    const token = tokenOf(await mint(api, own));
    await api.database.db
      .updateTable("api_keys")
      .set({ revoked_at: new Date() })
      .where("org_id", "=", own.orgId)
      .execute();
    expect((await redeem(api, token)).body).toMatchObject({ code: "token_invalid" });
  });

  it("that a member minted dies with the right to mint it", async () => {
    const { orgId, agentId, people } = await TestMembers.create(api);
    const mintAs = async () =>
      tokenOf(await people.developer.call("POST", "/api/client-tokens", { agentId }, orgId));
    const [kept, lost] = [await mintAs(), await mintAs()];
    expect((await redeem(api, kept)).status).toBe(200);
    const path = `/api/orgs/${orgId}/members/${people.developer.userId}`;
    await people.owner.call("PATCH", path, { role: "viewer" }, orgId);
    expect((await redeem(api, lost)).body).toMatchObject({ code: "token_invalid" });
  });

  it.each([
    [{ agentId: "agt_other" }, 404],
    [{ expiresInSecs: 86_401 }, 400],
    [{ expiresInSecs: 0 }, 400],
    [{ maxUses: 0 }, 400],
    [{ maxUses: 1.5 }, 400],
    [{ allowedOrigins: ["https://shop.example/path"] }, 400],
    [{ orgId: "org_other" }, 400],
  ])("is not minted with %j", async (extra, status) => {
    expect((await mint(api, organization, extra)).status).toBe(status);
  });
});

describe.runIf(needs("redis") && needs("postgres"))("a client token for seven calls", () => {
  it("starts exactly seven, though fifty requests come at once to two nodes", async () => {
    const { one, other, close } = await startTwoApis();
    const organization = await createOrganization(one.database);
    await one.registerNode({ maxCalls: 100 });
    const token = tokenOf(await mint(one, organization, { maxUses: 7 }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => redeem(i % 2 === 0 ? one : other, token)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
    expect(statuses.filter((status) => status === 401)).toHaveLength(43);
    await close();
  });
});
