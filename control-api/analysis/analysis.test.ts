import { callAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { EVENT_CATALOG } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";
import { SteppingClock } from "../../testkit/stepping-clock.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

/** Other processes have this machine, too. */
const SOON = { timeout: 60_000 };
const SAID = [
  ["assistant", "Hello, this is Acme. How can I help you?"],
  ["user", "My coffee machine is broken and I am really unhappy. My card is [card_number]."],
  ["assistant", "I am sorry. I will send you a new coffee machine tomorrow."],
  ["user", "The coffee machine arrived terribly late, too."],
] as const;

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
});
afterAll(() => webhooks.close());

const organizationWith = (postCallAnalysis: object) =>
  createOrganization(webhooks.api.database, { postCallAnalysis });

const say = async (sessionId: string, orgId: string, said: readonly (readonly [string, string])[] = SAID) => {
  await webhooks.happen(sessionId, orgId, { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le" });
  for (const [turn, [role, text]] of said.entries())
    await webhooks.happen(sessionId, orgId, {
      type: "call.message",
      turn,
      role,
      text,
      interrupted: false,
      source: "speech",
    });
};
const end = (sessionId: string, orgId: string, status = "completed") =>
  webhooks.happen(sessionId, orgId, { type: "call.ended", reason: "hangup", status });

const hold = async (
  organization: TestOrganization,
  said = SAID as readonly (readonly [string, string])[],
) => {
  const sessionId = await webhooks.startCall(organization);
  await say(sessionId, organization.orgId, said);
  await end(sessionId, organization.orgId);
  return sessionId;
};
const analyzed = (receiver: { received: readonly { body: string }[] }) =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    .filter(({ event }) => event === "call.analyzed");
const jobsOf = async (sessionId: string) =>
  webhooks.api.database.db
    .selectFrom("jobs")
    .select(["state", "error"])
    .where("kind", "=", "analyze_call")
    .where("id", "like", `%${sessionId}`)
    .execute();

describe("a call of an agent with analysis on, and no model", () => {
  it("is analyzed locally: call.analyzed has all 17 keys, and so has the call's record", async () => {
    const organization = await organizationWith({
      enabled: true,
      customFields: [{ key: "product", description: "what it is about" }],
      qaCriteria: [{ key: "greeted", description: "the agent greets" }],
    });
    const { receiver } = await webhooks.endpoint(organization);
    const sessionId = await hold(organization);
    await expect.poll(() => analyzed(receiver).length, SOON).toBe(1);
    const [told] = analyzed(receiver);
    expect(EVENT_CATALOG["call.analyzed"].schema.parse(told)).toEqual(told);
    expect(Object.keys(told?.analysis as object).toSorted()).toEqual(
      Object.keys(callAnalysis.shape).toSorted(),
    );
    expect(Object.keys(callAnalysis.shape)).toHaveLength(17);
    expect(told).toMatchObject({
      orgId: organization.orgId,
      sessionId,
      agentId: organization.agentId,
      identifier: "customer-7",
      piiCollected: [],
      analysis: {
        summary: null,
        disposition: null,
        score: null,
        sentiment: "negative",
        customData: { product: null },
        qa: [],
        actionItems: ["I will send you a new coffee machine tomorrow."],
        topics: expect.arrayContaining(["coffee machine"]),
        talkRatio: { agentWords: 21, customerWords: 21, agentTurns: 2, customerTurns: 2 },
        model: "parley-local",
      },
    });
    const { evidence } = Object(told).analysis as { evidence: { sentiment: string } };
    expect(SAID.some(([, text]) => text.includes(evidence.sentiment))).toBe(true);
    const record = await webhooks.api.call("GET", `/api/v1/calls/${sessionId}`, {
      key: organization.keys.viewer,
    });
    expect(record.body).toMatchObject({
      analysis: told?.analysis,
      analyzedAt: told?.occurredAt,
      piiCollected: [],
    });
  });

  it("keeps its analysis away from other organizations, and loses it with its content", async () => {
    const organization = await organizationWith({ enabled: true });
    const sessionId = await hold(organization);
    const read = async () =>
      (await webhooks.api.call("GET", `/api/v1/calls/${sessionId}`, { key: organization.keys.owner })).body;
    await expect.poll(async () => (await read()).analysis, SOON).not.toBeNull();
    const stranger = await createOrganization(webhooks.api.database);
    const theirs = await webhooks.api.call("GET", `/api/v1/calls/${sessionId}`, { key: stranger.keys.owner });
    expect(theirs.status).toBe(404);
    const erased = await webhooks.api.call(
      "DELETE",
      `/api/orgs/${organization.orgId}/calls/${sessionId}/content`,
      { key: organization.keys.owner },
    );
    expect(erased.status).toBeLessThan(300);
    expect(await read()).toMatchObject({ analysis: null, analyzedAt: null });
  });
});

describe("no analysis is made", () => {
  it.each([
    ["where the agent does not ask for it", { enabled: false }, SAID],
    ["of a transcript without a word", { enabled: true }, [["assistant", " "]] as const],
    ["of a call in which nothing was said", { enabled: true }, []],
  ])("%s", async (_, settings, said) => {
    const organization = await organizationWith(settings);
    const { receiver } = await webhooks.endpoint(organization, { events: ["call.ended", "call.analyzed"] });
    const sessionId = await hold(organization, said);
    await expect.poll(() => receiver.received.length, SOON).toBe(1);
    expect(await jobsOf(sessionId)).toEqual([]);
  });

  it("of a call that nobody answered", async () => {
    const organization = await organizationWith({ enabled: true });
    const { receiver } = await webhooks.endpoint(organization, { events: ["call.ended", "call.analyzed"] });
    const sessionId = await webhooks.startCall(organization);
    await end(sessionId, organization.orgId, "no-answer");
    await expect.poll(() => receiver.received.length, SOON).toBe(1);
    expect(await jobsOf(sessionId)).toEqual([]);
  });

  it("of a call that ended more than two hours ago", async () => {
    const clock = new SteppingClock();
    const late = await TestWebhooks.start({ clock });
    try {
      const organization = await createOrganization(late.api.database, {
        postCallAnalysis: { enabled: true },
      });
      const sessionId = await late.startCall(organization);
      const { orgId } = organization;
      await late.happen(sessionId, orgId, { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le" });
      const hello = { type: "call.message", turn: 1, role: "user", text: "Hello.", interrupted: false };
      await late.happen(sessionId, orgId, { ...hello, source: "speech" });
      const at = new Date(clock.wallMs() - 7_200_001).toISOString();
      await late.happen(sessionId, orgId, { type: "call.ended", reason: "hangup", status: "completed", at });
      const read = () => late.api.metrics.text();
      await expect.poll(read, SOON).toContain('parley_analyses_total{outcome="too_old"} 1');
      const kept = await late.api.database.db.selectFrom("call_analyses").select("session_id").execute();
      expect(kept).toEqual([]);
    } finally {
      await late.close();
    }
  });

  it("a second time, when its end is told again", async () => {
    const organization = await organizationWith({ enabled: true });
    const { receiver } = await webhooks.endpoint(organization);
    const sessionId = await hold(organization);
    await expect.poll(() => analyzed(receiver).length, SOON).toBe(1);
    await end(sessionId, organization.orgId);
    await webhooks.press(sessionId, organization.orgId);
    await expect.poll(() => receiver.received.length, SOON).toBeGreaterThan(6);
    expect(analyzed(receiver)).toHaveLength(1);
    expect(await jobsOf(sessionId)).toMatchObject([{ state: "done" }]);
  });
});
