import type { CallAnalytics } from "@parley/shared/contracts/analytics.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { keepCall } from "../../../testkit/kept-call.ts";
import { TestMembers } from "../../../testkit/members.ts";

const DAY_MS = 86_400_000;
const metrics = {
  endOfTurnMs: 300,
  brainRequestMs: 0,
  brainFirstTokenMs: 200,
  firstClauseMs: 0,
  ttsFirstByteMs: 50,
  responseMs: 560,
};
const TURN = { afterMs: 10, event: { type: "call.turn_metrics", turn: 1, metrics } };

describe("the calls of a period in figures", () => {
  let api: TestControlApi;
  let members: TestMembers;
  const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  const day = (ago: number): Date => new Date(today.getTime() - ago * DAY_MS);
  beforeAll(async () => {
    api = await TestControlApi.start();
    await api.registerNode({ maxCalls: 1_000 });
    members = await TestMembers.create(api);
    await keepCall(api, { ...members, userId: "" }, { happened: [TURN] });
    const count = { org_id: members.orgId, agent_id: members.agentId, ended: 4, answered: 3, failed: 1 };
    await api.database.db
      .insertInto("call_counts")
      .values([
        { ...count, quarter: day(2), channel: "telephony", talk_secs: 60 },
        { ...count, quarter: new Date(day(1).getTime() - 900_000), channel: "chat", talk_secs: 0 },
        { ...count, quarter: day(9), channel: "telephony", talk_secs: 600 },
        { ...count, quarter: day(1), agent_id: "agt_gone", channel: "telephony", talk_secs: 6 },
      ])
      .execute();
  });
  afterAll(() => api.close());

  const ask = (query: Record<string, string>, who = members.people.viewer, orgId = members.orgId) =>
    who.call("GET", `/api/orgs/${orgId}/analytics/calls?${new URLSearchParams(query)}`, undefined, orgId);
  const period = async (query: Record<string, string> = {}): Promise<CallAnalytics> => {
    const to = new Date(today.getTime() + DAY_MS).toISOString();
    const { status, body } = await ask({ from: day(6).toISOString(), to, ...query });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data as CallAnalytics;
  };

  it("are counted day by day, by agent and by channel, and each sum is the same", async () => {
    const { totals, points, agents, channels } = await period();
    expect(totals).toMatchObject({ calls: 13, answered: 10, failed: 3, talkSecs: 67 });
    expect(Math.abs((totals.responseP50Ms ?? 0) - metrics.responseMs) / metrics.responseMs).toBeLessThan(0.1);
    expect(points.map(({ calls }) => calls)).toEqual([0, 0, 0, 0, 8, 4, 1]);
    expect(points.map(({ at }) => at).at(-1)).toBe(today.toISOString());
    expect(agents).toMatchObject([
      { agentId: members.agentId, name: "Anna", calls: 9 },
      { agentId: "agt_gone", name: null, calls: 4, responseP50Ms: null },
    ]);
    expect(channels.map(({ channel, calls }) => [channel, calls])).toEqual([
      ["telephony", 8],
      ["chat", 4],
      ["web_chat", 1],
    ]);
    const recount = await sql<{ calls: number }>`select count(*)::int as calls from calls
      where org_id = ${members.orgId} and ended_at is not null and created_at >= ${today}`.execute(
      api.database.db,
    );
    expect(points.at(-1)?.calls).toBe(recount.rows[0]?.calls);
  });

  it("are narrowed down to an agent and a channel", async () => {
    expect((await period({ agentId: "agt_gone" })).totals).toMatchObject({ calls: 4, responseP95Ms: null });
    const phone = await period({ channel: "telephony", agentId: members.agentId });
    expect(phone.totals).toMatchObject({ calls: 4, talkSecs: 60, responseP50Ms: null });
    expect(phone.channels).toHaveLength(1);
    const web = await period({ channel: "web_chat" });
    expect(web.totals.responseP50Ms).not.toBeNull();
    expect(web.channels).toMatchObject([{ channel: "web_chat", responseP50Ms: web.totals.responseP50Ms }]);
  });

  it("are counted hour by hour", async () => {
    const hours = await period({ from: day(1).toISOString(), to: today.toISOString(), step: "hour" });
    expect(hours.points).toHaveLength(24);
    expect(hours.points[0]?.calls).toBe(4);
  });

  it("are an organization's own, and of no endless period", async () => {
    const { stranger, people } = members;
    const days = { from: day(6).toISOString(), to: today.toISOString() };
    expect((await ask(days, stranger.person)).status).toBe(403);
    const own = await ask(days, stranger.person, stranger.orgId);
    expect((own.body.data as CallAnalytics).totals.calls).toBe(0);
    for (const wrong of [
      { from: day(200).toISOString(), to: today.toISOString() },
      { from: today.toISOString(), to: day(1).toISOString() },
      { ...days, from: day(30).toISOString(), step: "hour" },
    ]) {
      expect((await ask(wrong, people.owner)).status, JSON.stringify(wrong)).toBe(400);
    }
  });
});
