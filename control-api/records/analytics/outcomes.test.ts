import type { CallOutcomes } from "@parley/shared/contracts/analytics.ts";
import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { keepCall } from "../../../testkit/kept-call.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { insertAnalysis } from "../../analysis/store.ts";

const DAY_MS = 86_400_000;
const NOTHING: CallAnalysis = {
  summary: null,
  sentiment: null,
  sentimentScore: null,
  disposition: null,
  actionItems: [],
  customData: {},
  evidence: {},
  qa: [],
  objections: [],
  coaching: [],
  hallucinations: [],
  score: null,
  cx: { rating: null, friction: [], highlights: [] },
  topics: [],
  keywords: [],
  talkRatio: { agentWords: 0, customerWords: 0, agentTurns: 0, customerTurns: 0 },
  model: "parley-local",
};
const message = { type: "call.message", turn: 9, role: "assistant", text: "Well, I", source: "brain" };
const tool = (name: string, status: string) => ({
  afterMs: 20,
  event: { type: "call.tool_invoked", turn: 1, name, arguments: {}, result: {}, status, latencyMs: 5 },
});

describe("how the calls of a period ended, went and were judged", () => {
  let api: TestControlApi;
  let members: TestMembers;
  beforeAll(async () => {
    api = await TestControlApi.start();
    await api.registerNode({ maxCalls: 1_000 });
    members = await TestMembers.create(api);
  });
  afterAll(() => api.close());

  const outcomes = async (query: Record<string, string> = {}): Promise<CallOutcomes> => {
    const from = new Date(Date.now() - DAY_MS).toISOString();
    const to = new Date(Date.now() + DAY_MS).toISOString();
    const path = `/api/orgs/${members.orgId}/analytics/outcomes?${new URLSearchParams({ from, to, ...query })}`;
    const { status, body } = await members.people.viewer.call("GET", path, undefined, members.orgId);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data as CallOutcomes;
  };
  const analyzed = async (found: Partial<CallAnalysis>, happened: Parameters<typeof keepCall>[2] = {}) => {
    const { sessionId } = await keepCall(api, { ...members, userId: "" }, happened);
    const analysis = { ...NOTHING, ...found };
    await api.database.db
      .transaction()
      .execute((trx) =>
        insertAnalysis(trx, { sessionId, orgId: members.orgId }, { analysis, at: new Date() }),
      );
    return sessionId;
  };
  const callsWith = async (query: string): Promise<string[]> => {
    const path = `/api/orgs/${members.orgId}/calls?${query}`;
    const { status, body } = await members.people.developer.call("GET", path, undefined, members.orgId);
    expect(status, JSON.stringify(body)).toBe(200);
    return (body.data as { calls: { sessionId: string }[] }).calls.map(({ sessionId }) => sessionId);
  };
  const erase = (sessionId: string) =>
    members.people.owner.call(
      "DELETE",
      `/api/orgs/${members.orgId}/calls/${sessionId}/content`,
      undefined,
      members.orgId,
    );

  it("are counted once a call and word, and taken back with what was said", async () => {
    const qa = [{ key: "greeted", met: true, evidence: "" }];
    await analyzed({ sentiment: "positive", disposition: "booked", topics: ["Delivery", "Delivery"], qa });
    const sad = await analyzed(
      {
        sentiment: "negative",
        disposition: "complained",
        topics: ["Delivery"],
        qa: [{ ...qa[0], key: "greeted", met: false, evidence: "" }],
      },
      {
        happened: [
          { afterMs: 10, event: { ...message, interrupted: true } },
          { afterMs: 10, event: { ...message, interrupted: false } },
          tool("find_order", "success"),
          tool("find_order", "error"),
          tool("refund", "confirmation_declined"),
        ],
      },
    );
    const before = await outcomes();
    expect(before).toMatchObject({
      endReasons: [{ value: "hangup", times: 2 }],
      interruptions: 1,
      tools: [
        { name: "find_order", calls: 2, failed: 1 },
        { name: "refund", calls: 1, failed: 0 },
      ],
      dispositions: [
        { value: "booked", times: 1 },
        { value: "complained", times: 1 },
      ],
      topics: [{ value: "Delivery", times: 2 }],
      qa: [{ key: "greeted", met: 1, missed: 1 }],
    });
    for (const [query, found] of [
      ["sentiment=negative", 1],
      ["disposition=complained", 1],
      ["topic=Delivery", 2],
      ["metCriterion=greeted", 1],
      ["missedCriterion=greeted&sentiment=negative", 1],
      ["missedCriterion=greeted&sentiment=positive", 0],
      ["tool=find_order", 1],
      ["failedTool=find_order", 1],
      ["failedTool=refund", 0],
      ["interrupted=true", 1],
      ["endReason=hangup", 2],
      ["endReason=hangup&limit=1", 1],
    ] as const)
      expect(await callsWith(query), query).toHaveLength(found);
    expect((await erase(sad)).status).toBe(200);
    expect(await callsWith("topic=Delivery")).toHaveLength(1);
    expect(await callsWith("sentiment=negative")).toEqual([]);
    // How it went is no word that somebody said.
    expect(await callsWith("failedTool=find_order")).toEqual([sad]);
    expect(await outcomes()).toEqual({
      ...before,
      from: expect.any(String),
      to: expect.any(String),
      sentiments: [{ value: "positive", times: 1 }],
      dispositions: [{ value: "booked", times: 1 }],
      topics: [{ value: "Delivery", times: 1 }],
      qa: [{ key: "greeted", met: 1, missed: 0 }],
    });
    const { rows } = await sql`select from call_tallies where value = 'complained'`.execute(api.database.db);
    expect(rows).toHaveLength(0);
  });

  it("are the same as a recount, whatever was analyzed late or deleted, and in whatever order", async () => {
    const sentiments = ["positive", "neutral", "negative"] as const;
    const held = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        analyzed({ sentiment: sentiments[index % 3] ?? null, topics: [`topic ${index % 4}`] }),
      ),
    );
    await Promise.all(held.filter((_, index) => index % 5 === 0).map(erase));
    const recount = async (word: string) =>
      (
        await sql<{ value: string; times: number }>`
        select ${sql.raw(word)} as value, count(distinct session_id)::int as times
        from call_analyses cross join lateral jsonb_array_elements_text(analysis -> 'topics') as topic(name)
        where org_id = ${members.orgId} and ${sql.raw(word)} is not null
        group by 1 order by times desc, value`.execute(api.database.db)
      ).rows;
    const { topics, sentiments: counted } = await outcomes();
    expect(topics).toEqual(await recount("topic.name"));
    expect(counted).toEqual(await recount("analysis ->> 'sentiment'"));
  });

  it("are narrowed down to an agent and a channel, and to a span that is not too long", async () => {
    expect((await outcomes({ channel: "telephony" })).endReasons).toEqual([]);
    expect((await outcomes({ agentId: members.agentId, channel: "web_chat" })).endReasons).not.toEqual([]);
    const long = `/api/orgs/${members.orgId}/analytics/outcomes?from=2026-01-01T00:00:00Z&to=2026-09-01T00:00:00Z`;
    expect((await members.people.viewer.call("GET", long, undefined, members.orgId)).status).toBe(400);
  });
});
