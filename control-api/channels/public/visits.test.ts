import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { TestChats } from "../../../testkit/chat.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";
import { eraseLeads } from "../../agents/public/store.ts";

const DAY_MS = 86_400_000;
const hello = (turn: BrainTurn): void => {
  turn.token("Hello.");
  turn.done();
};

let clock: SteppingClock;
let api: TestControlApi;
beforeAll(async () => {
  clock = new SteppingClock();
  const env = { TRUST_PROXY: "127.0.0.1/32" };
  api = await TestControlApi.start({ clock, env, allowPrivateTargets: ["127.0.0.0/8"] });
  await api.registerNode({ maxCalls: 1_000 });
});
afterAll(() => api.close());

/** An agent with what is set of its public page. */
class PublicAgent {
  readonly chats: TestChats;
  slug = "";

  private constructor(chats: TestChats) {
    this.chats = chats;
  }

  static async make(settings: object = {}): Promise<PublicAgent> {
    const made = new PublicAgent(await TestChats.start(api, hello));
    const { orgId, userId } = made.chats.organization;
    const owner = { org_id: orgId, user_id: userId, role: "owner", created_at: new Date() } as const;
    await api.database.db.insertInto("memberships").values(owner).execute();
    await made.set({ isPublic: true, ...settings });
    return made;
  }

  async set(settings: object, role: "owner" | "admin" | "developer" = "admin") {
    const { agentId, keys } = this.chats.organization;
    const path = `/api/agents/${agentId}/public`;
    const answer = await api.call("PATCH", path, { key: keys[role], body: settings });
    const data = answer.body.data as { slug: string } | undefined;
    if (data) this.slug = data.slug;
    return answer;
  }

  page = () => api.call("GET", `/api/public/agents/${this.slug}`);
  begin = (body: object, headers: Record<string, string> = {}) =>
    api.call("POST", `/api/public/agents/${this.slug}/sessions`, { body, headers });
  token = async (body: object = {}): Promise<string> =>
    ((await this.begin({ mode: "chat", ...body })).body.data as { token: string }).token;
}

const say = (token: string, input = "Hello?") =>
  api.call("POST", "/api/public/chat", { token, body: { input } });

describe("a public agent", () => {
  it("has an address and a snippet, talks and chats with strangers, also where keys may not use it", async () => {
    const agent = await PublicAgent.make({ branding: { title: "Ask us", accent: "#123456" } });
    await agent.chats.change({ apiAccess: false });
    const { body } = await agent.set({});
    expect(body.data).toMatchObject({
      isPublic: true,
      publicUrl: `${api.api.baseUrl}/a/${agent.slug}`,
      embedSnippet: `<script src="${api.api.baseUrl}/embed.js" data-agent="${agent.slug}" data-accent="#123456" async></script>`,
    });
    expect((await agent.page()).body.data).toEqual({
      ...{ title: "Ask us", greeting: null, accent: "#123456" },
      ...{ modes: ["call", "chat"], lead: [], needsCode: false },
    });
    const call = await agent.begin({ mode: "call" });
    expect(call.body.data).toMatchObject({ websocketUrl: expect.stringMatching(/^ws/) });
    const token = await agent.token();
    expect(await say(token)).toMatchObject({ status: 200, body: { reply: "Hello." } });
  });

  it("is changed by owners and admins only", async () => {
    const agent = await PublicAgent.make();
    expect((await agent.set({ isPublic: false }, "developer")).status).toBe(403);
    expect((await agent.page()).status).toBe(200);
  });

  it("made private is not there for strangers, nor for chats that had begun; made public again it is as it was", async () => {
    const settings = {
      accessCode: "open sesame",
      embedOrigins: ["https://shop.example"],
      lead: [{ field: "name" }],
    };
    const agent = await PublicAgent.make(settings);
    const { slug } = agent;
    const token = await agent.token({ code: "open sesame" });
    expect((await say(token)).status).toBe(200);
    await agent.set({ isPublic: false });
    expect((await agent.page()).status).toBe(404);
    expect((await agent.begin({ mode: "call", code: "open sesame" })).status).toBe(404);
    expect((await say(token)).status).toBe(401);
    const { body } = await agent.set({ isPublic: true });
    expect(body.data).toMatchObject({
      ...{ slug, hasAccessCode: true, embedOrigins: ["https://shop.example"] },
      lead: [{ field: "name", required: false }],
    });
    expect((await say(token)).status).toBe(200);
  });

  it("goes on with its visitors when the owner leaves whom their chats are attributed to", async () => {
    const agent = await PublicAgent.make();
    const token = await agent.token();
    expect((await say(token)).status).toBe(200);
    const { orgId, userId } = agent.chats.organization;
    const { db } = api.database;
    const heir = (await TestPerson.register(api)).userId;
    const owner = { org_id: orgId, user_id: heir, role: "owner", created_at: new Date() } as const;
    await db.insertInto("memberships").values(owner).execute();
    await db.deleteFrom("memberships").where("user_id", "=", userId).execute();
    await db.updateTable("users").set({ status: "deactivated" }).where("id", "=", userId).execute();
    expect((await say(token)).status).toBe(200);
    expect((await say(await agent.token())).status).toBe(200);
  });

  it("answers its own page only, whichever site that is embedded in", async () => {
    const agent = await PublicAgent.make();
    expect((await agent.begin({ mode: "call" }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await agent.begin({ mode: "call" }, { "sec-fetch-site": "same-origin" })).status).toBe(200);
  });
});

describe("an access code", () => {
  it("is asked for, and is not found by trying", async () => {
    const agent = await PublicAgent.make({ accessCode: "tulip-4711" });
    expect((await agent.page()).body.data).toMatchObject({ needsCode: true });
    expect((await agent.begin({ mode: "call" })).status).toBe(403);
    expect((await agent.begin({ mode: "call", code: "tulip-4711" })).status).toBe(200);
    const tried = [];
    for (let i = 0; i < 22; i++) tried.push((await agent.begin({ mode: "call", code: `00${i}` })).status);
    expect(new Set(tried)).toEqual(new Set([403, 429]));
    expect((await agent.begin({ mode: "call", code: "tulip-4711" })).status).toBe(429);
    clock.step(15 * 60_000);
    expect((await agent.begin({ mode: "call", code: "tulip-4711" })).status).toBe(200);
    const stored = await api.database.db.selectFrom("public_agents").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain("tulip");
  });
});

describe("what visitors are asked", () => {
  it("is needed, kept for the organization, and known to the agent; it goes when the conversation does", async () => {
    const agent = await PublicAgent.make({ lead: [{ field: "name", required: true }, { field: "email" }] });
    expect(await agent.begin({ mode: "chat" })).toMatchObject({
      status: 400,
      body: { details: { fields: ["lead.name"] } },
    });
    const token = await agent.token({ lead: { name: "Ada", company: "Engines" } });
    await say(token);
    expect(agent.chats.brain.turns.at(-1)?.request).toMatchObject({ visitor_name: "Ada" });
    const { agentId, keys } = agent.chats.organization;
    const list = () => api.call("GET", `/api/agents/${agentId}/leads`, { key: keys.developer });
    const { body } = await list();
    expect(body.data).toMatchObject({ total: 1, leads: [{ fields: { name: "Ada" } }] });
    expect((await api.call("GET", `/api/agents/${agentId}/leads`, { key: keys.viewer })).status).toBe(403);
    const { leads } = body.data as { leads: { sessionId: string }[] };
    const sessionIds = leads.map(({ sessionId }) => sessionId);
    await api.database.db.transaction().execute((trx) => eraseLeads(trx, { sessionIds, at: new Date() }));
    expect((await list()).body.data).toMatchObject({ total: 0 });
  });
});

describe("what strangers may cost", () => {
  it("is bounded by visitor and day, by agent and day, and by messages of a chat", async () => {
    const limits = { perVisitorPerDay: 2, perDay: 3, messagesPerChat: 1 };
    const agent = await PublicAgent.make({ limits });
    const from = (ip: string) => agent.begin({ mode: "chat" }, { "x-forwarded-for": ip });
    const token = ((await from("203.0.113.1")).body.data as { token: string }).token;
    expect((await say(token)).status).toBe(200);
    expect((await say(token, "More?")).status).toBe(410);
    expect((await from("203.0.113.1")).status).toBe(200);
    const third = await from("203.0.113.1");
    expect(third.status).toBe(429);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await agent.set({ limits: { ...limits, perVisitorPerDay: 100 } })).status).toBe(200);
    expect((await from("203.0.113.1")).status).toBe(200);
    expect((await from("203.0.113.1")).status).toBe(429);
    clock.step(DAY_MS);
    expect((await from("203.0.113.1")).status).toBe(200);
  });

  it("of a thousand who come at once is what the day allows, and no more", async () => {
    const agent = await PublicAgent.make({
      limits: { perDay: 5, perVisitorPerDay: 1_000, messagesPerChat: 1 },
    });
    const answers = await Promise.all(Array.from({ length: 25 }, () => agent.begin({ mode: "chat" })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it("in calls at once is bounded: of a burst some are let in, and another when one has ended", async () => {
    const agent = await PublicAgent.make({ limits: { callsAtOnce: 3 } });
    const call = async (nr: number) => {
      const { status, headers, body } = await agent.begin(
        { mode: "call" },
        { "x-forwarded-for": `198.51.100.${nr}` },
      );
      return { status, retryAfter: headers.get("retry-after"), data: body.data as { sessionId: string } };
    };
    const burst = await Promise.all(Array.from({ length: 20 }, (_, nr) => call(nr)));
    const refused = burst.filter(({ status }) => status === 429);
    expect(burst.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(refused).toHaveLength(17);
    expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    // Writing costs little, and the refused ones are not counted as visits.
    expect((await agent.begin({ mode: "chat" })).status).toBe(200);
    const { agentId } = agent.chats.organization;
    const { db } = api.database;
    const visits = db.selectFrom("public_visits").select("count").where("agent_id", "=", agentId);
    expect(await visits.where("visitor", "=", "").executeTakeFirst()).toEqual({ count: 4 });
    const [ended] = burst.filter(({ status }) => status === 200);
    const of = db.updateTable("calls").where("session_id", "=", ended?.data.sessionId ?? "");
    await of.set({ ended_at: new Date() }).execute();
    const again = await Promise.all([call(21), call(22), call(23)]);
    expect(again.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  });

  it("in calls at once leaves out the organization's own", async () => {
    const agent = await PublicAgent.make({ limits: { callsAtOnce: 1 } });
    const { agentId, keys } = agent.chats.organization;
    const own = { key: keys.developer, body: { agentId } };
    for (let i = 0; i < 2; i++)
      expect((await api.call("POST", "/api/sessions/init-web-call", own)).status).toBe(200);
    expect((await agent.begin({ mode: "call" })).status).toBe(200);
    expect((await agent.begin({ mode: "call" })).status).toBe(429);
    expect((await api.call("POST", "/api/sessions/init-web-call", own)).status).toBe(200);
  });

  it("is not used up by what could not begin", async () => {
    const agent = await PublicAgent.make({ limits: { perDay: 1, perVisitorPerDay: 1, messagesPerChat: 1 } });
    const { agentId } = agent.chats.organization;
    await agent.chats.change({ variables: [{ name: "plan", required: true }] });
    expect((await agent.begin({ mode: "call" })).status).toBe(400);
    await agent.chats.change({ variables: [] });
    expect((await agent.begin({ mode: "call" })).status, agentId).toBe(200);
  });
});
