import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";
import { insertUsage } from "../metering/usage-store.ts";
import { giveCredit } from "./credit.ts";

const NOW = Date.parse("2026-11-16T00:00:00.000Z");

let api: TestControlApi;
let members: TestMembers;
beforeAll(async () => {
  const clock = new SteppingClock();
  clock.step(NOW - clock.wallMs());
  api = await TestControlApi.start({ clock });
  members = await TestMembers.create(api);
  const { orgId, agentId } = members;
  await giveCredit(api.database, { orgId, amount: 5_000_000n, source: "welcome", at: new Date(NOW) });
  const about = {
    orgId,
    agentId,
    keyId: "",
    sessionId: null,
    channel: "chat",
    vendor: "chat",
    priceId: null,
  };
  await insertUsage(api.database.db, [
    { ...about, source: "1", metric: "messages", quantity: 1n, amount: 1_000_000n, at: new Date(NOW) },
    {
      ...about,
      source: "2",
      metric: "messages",
      quantity: 1n,
      amount: 500_000n,
      at: new Date(NOW - 86_400_000),
    },
  ]);
});
afterAll(() => api.close());

const ask = async (method: string, path: string, body?: unknown) =>
  api.call(method, `/api/orgs/${members.orgId}/billing${path}`, {
    token: await members.token("admin"),
    orgId: members.orgId,
    ...(body === undefined ? {} : { body }),
  });

describe("the billing of an organization", () => {
  it("says what it has, what it spent, and what it will have spent at the end of the month", async () => {
    expect((await ask("GET", "")).body.data).toEqual({
      isOn: false,
      currency: "USD",
      plan: "prepaid",
      state: "active",
      suspendedAt: null,
      balance: { available: "5.00", held: "0.00", unbilled: "0.00", due: "0.00" },
      spent: { today: "1.00", month: "1.50", forecast: "3.00" },
      limits: [],
    });
  });

  it("has limits that are set, replaced and deleted, each with what was spent of it", async () => {
    const agent = { scope: "agent", scopeId: members.agentId, period: "month", kind: "hard" };
    const set = await ask("PUT", "/limits", { ...agent, amount: "25" });
    expect(set.status).toBe(200);
    const { id } = set.body.data as { id: string };
    const replaced = await ask("PUT", "/limits", { ...agent, amount: "12.50" });
    expect(replaced.body.data).toEqual({ id, ...agent, amount: "12.50", spent: "1.50" });
    expect((await ask("DELETE", `/limits/${id}`)).status).toBe(200);
    expect((await ask("DELETE", `/limits/${id}`)).status).toBe(404);
    const actions = await api.database.db
      .selectFrom("audit_events")
      .select("action")
      .where("org_id", "=", members.orgId)
      .where("action", "like", "billing.%")
      .execute();
    expect(actions).toHaveLength(3);
  });

  it.each([
    [{ scope: "agent", scopeId: "agt_of_others" }, 404, "There is no agent agt_of_others"],
    [{ scope: "key", scopeId: "key_of_others" }, 404, "There is no key key_of_others"],
    [{ scope: "campaign", scopeId: "cmp_of_others" }, 404, "There is no campaign cmp_of_others"],
    [{ scope: "agent" }, 400, "scopeId"],
    [{ scope: "organization", amount: "-1" }, 400, "dollars as text"],
    [{ scope: "organization", amount: "1e9" }, 400, "dollars as text"],
  ])("refuses the limit %j", async (given, status, message) => {
    const answer = await ask("PUT", "/limits", { period: "day", kind: "hard", amount: "1", ...given });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(message);
  });
});
