import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";
import { insertUsage, type UsageRow } from "../metering/usage-store.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");

let api: TestControlApi;
let members: TestMembers;
beforeAll(async () => {
  const clock = new SteppingClock();
  clock.step(NOW - clock.wallMs());
  api = await TestControlApi.start({ clock });
  members = await TestMembers.create(api);
  const row = (source: string, more: Partial<UsageRow>): UsageRow => ({
    source,
    metric: "call_seconds",
    orgId: members.orgId,
    sessionId: null,
    agentId: members.agentId,
    keyId: "",
    channel: "telephony",
    vendor: "telnyx",
    quantity: 60n,
    priceId: null,
    amount: 6_000n,
    at: new Date(NOW),
    ...more,
  });
  await insertUsage(api.database.db, [
    row("1", {}),
    row("2", { quantity: 30n, amount: 3_000n }),
    row("3", {
      agentId: "",
      channel: "web_chat",
      vendor: "web_chat",
      amount: 1n,
      at: new Date("2026-11-01T00:00:00Z"),
    }),
    row("4", { at: new Date("2026-10-31T23:59:59.999Z"), amount: 5_000_000n }),
    row("5", { orgId: members.stranger.orgId, amount: 7_000_000n }),
  ]);
});
afterAll(() => api.close());

const read = async (query = "", orgId = members.orgId) =>
  api.call("GET", `/api/orgs/${orgId}/usage${query}`, { token: await members.token("viewer"), orgId });

describe("what an organization has used", () => {
  it("is this month's, by day, with its price and nobody else's", async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body.data).toEqual({
      from: "2026-11-01",
      to: "2026-11-22",
      by: "day",
      currency: "USD",
      lines: [
        { key: "2026-11-01", name: null, metric: "call_seconds", quantity: 60, amount: "0.000001" },
        { key: "2026-11-22", name: null, metric: "call_seconds", quantity: 90, amount: "0.009" },
      ],
      total: "0.009001",
    });
  });

  it.each([
    ["agent", ["", "Anna"]],
    ["channel", ["telephony", "web_chat"]],
    ["vendor", ["telnyx", "web_chat"]],
  ])("can be read by %s", async (by, keys) => {
    const { body } = await read(`?by=${by}&from=2026-11-01`);
    const { lines } = body.data as { lines: { key: string; name: string | null }[] };
    expect(lines.map(({ key, name }) => name ?? key).toSorted()).toEqual(keys);
  });

  it("has the days that are asked for, first and last included", async () => {
    const { body } = await read("?from=2026-10-31&to=2026-10-31");
    expect(body.data).toMatchObject({ total: "5.00" });
  });

  it.each([
    ["?from=2026-11-02&to=2026-11-01", "later than to"],
    ["?from=2020-01-01", "400 days"],
    ["?from=yesterday", "date such as"],
    ["?by=color", "by"],
  ])("%s is refused, and the answer says what to change", async (query, message) => {
    const { status, text } = await read(query);
    expect(status).toBe(400);
    expect(text).toContain(message);
  });

  it("can be read of one call, part by part, and of no other organization's", async () => {
    const sessionId = "ses_cost";
    const { userId } = members.people.owner;
    await sql`insert into calls (id, session_id, org_id, agent_id, user_id, variables, node_id, channel, direction, created_at)
      values ('cal_cost', ${sessionId}, ${members.orgId}, ${members.agentId}, ${userId}, '{}', 'nod_1', 'web', 'inbound',
        ${new Date(NOW)})`.execute(api.database.db);
    const of = { orgId: members.orgId, sessionId, agentId: members.agentId, keyId: "", channel: "web" };
    const line = { ...of, vendor: "telnyx", priceId: null, at: new Date("2026-01-01T00:00:00Z") };
    await insertUsage(api.database.db, [
      { ...line, source: "6", metric: "llm_input_tokens", vendor: "large", quantity: 900n, amount: 1_350n },
      { ...line, source: "7", metric: "llm_input_tokens", vendor: "large", quantity: 100n, amount: 150n },
      { ...line, source: "8", metric: "messages", quantity: 61n, amount: 6_100n },
    ]);
    const { body } = await read(`/calls/${sessionId}`);
    const { lines, total } = body.data as { lines: { metric: string }[]; total: string };
    expect(lines).toEqual([
      { metric: "messages", vendor: "telnyx", quantity: 61, amount: "0.0061" },
      { metric: "llm_input_tokens", vendor: "large", quantity: 1_000, amount: "0.0015" },
    ]);
    expect(total).toBe("0.0076");
    const orgId = members.stranger.orgId;
    const token = await members.strangersToken();
    const asked = api.call("GET", `/api/orgs/${orgId}/usage/calls/${sessionId}`, { token, orgId });
    expect((await asked).status).toBe(404);
  });

  it("is not for members of other organizations", async () => {
    expect((await read("", members.stranger.orgId)).status).toBe(403);
  });
});
