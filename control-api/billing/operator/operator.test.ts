import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { Operators } from "../../http/access/operators.ts";

const EMAIL = "operator@example.com";

let api: TestControlApi;
let operator: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start({
    env: { BILLING: "on", OPERATORS: ` other@example.com, ${EMAIL.toUpperCase()}` },
  });
  operator = await TestPerson.registerVerified(api, { email: EMAIL });
});
afterAll(() => api.close());

const audited = async (action: string) =>
  api.database.db
    .selectFrom("audit_events")
    .select(["org_id", "actor_id", "details"])
    .where("action", "=", action)
    .execute();

describe("who operates the server", () => {
  it("is whom OPERATORS names, once the address is verified, and no owner", async () => {
    const named = await TestPerson.register(api, { email: "other@example.com" });
    const path = "/api/operator/organizations";
    expect((await named.call("GET", path)).body).toMatchObject({
      code: "forbidden",
      error: "Only operators of this server can do this. Its setting OPERATORS lists them.",
    });
    expect((await named.call("GET", "/api/auth/me")).body.data).not.toHaveProperty("isOperator");
    await named.verify();
    expect((await named.call("GET", path)).status).toBe(200);
    expect((await named.call("GET", "/api/auth/me")).body.data).toMatchObject({ isOperator: true });
    const owner = await TestPerson.registerVerified(api);
    expect((await owner.call("GET", path)).status).toBe(403);
    expect((await owner.call("PUT", `${path}/${owner.orgId}/plan`, { plan: "postpaid" })).status).toBe(403);
    const me = (await owner.call("GET", "/api/auth/me")).body.data;
    expect(me).not.toHaveProperty("isOperator");
  });

  it("is nobody when OPERATORS is not set", async () => {
    const nobody = new Operators({ database: api.database, emails: [] });
    expect(await nobody.has(operator.userId)).toBe(false);
  });
});

describe("an operator", () => {
  it("adds prices, for all or for one organization, and is told what is wrong with one", async () => {
    const path = "/api/operator/prices";
    const { orgId } = await createOrganization(api.database);
    const added = await operator.call("POST", path, {
      metric: "call_seconds",
      amount: "0.012",
      per: "60",
      orgId,
    });
    expect(added.status).toBe(201);
    const { id } = added.body.data as { id: string };
    const { data } = (await operator.call("GET", path)).body;
    expect(data).toMatchObject({
      currency: "USD",
      prices: [{ id, metric: "call_seconds", vendor: "", orgId, amount: "0.012", per: 60 }],
    });
    expect(await audited("operator.price_added")).toEqual([
      { org_id: orgId, actor_id: operator.userId, details: expect.objectContaining({ id, amount: "0.012" }) },
    ]);
    for (const [body, status, words] of [
      [{ metric: "call_seconds", amount: "-1" }, 400, /dollars with at most six decimals/],
      [{ metric: "minutes", amount: "1" }, 400, /metric/],
      [{ metric: "messages", amount: "1", per: "0" }, 400, /whole number/],
      [{ metric: "messages", amount: "1", from: "2020-01-01T00:00:00Z" }, 400, /not in the past/],
      [{ metric: "messages", amount: "1", orgId: "org_nobody" }, 404, /There is no organization org_nobody/],
    ] as const) {
      const refused = await operator.call("POST", path, body);
      expect([refused.status, refused.text]).toEqual([status, expect.stringMatching(words)]);
    }
  });

  it("finds organizations, page by page, changes how one pays and gives it a credit, once for each reason", async () => {
    const { orgId } = await createOrganization(api.database);
    const path = "/api/operator/organizations";
    await api.database.db
      .updateTable("organizations")
      .set({ name: "Zorro 100%" })
      .where("id", "=", orgId)
      .execute();
    const found = (await operator.call("GET", `${path}?search=${encodeURIComponent("orro 100%")}`)).body.data;
    const shown = {
      id: orgId,
      name: "Zorro 100%",
      plan: "prepaid",
      state: "active",
      balance: "0.00",
      owed: "0.00",
    };
    expect(found).toEqual({ currency: "USD", organizations: [shown], next: null });

    const credit = { amount: "12.5", reason: "welcome" };
    const given = await operator.call("POST", `${path}/${orgId}/credits`, credit);
    expect(given.body.data).toEqual({ ...shown, balance: "12.50" });
    const again = await operator.call("POST", `${path}/${orgId}/credits`, credit);
    expect([again.status, again.body.code]).toEqual([409, "conflict"]);
    expect((await operator.call("POST", `${path}/${orgId}/credits`, { ...credit, amount: "0" })).status).toBe(
      400,
    );
    const changed = await operator.call("PUT", `${path}/${orgId}/plan`, { plan: "postpaid" });
    expect(changed.body.data).toEqual({ ...shown, plan: "postpaid", balance: "12.50" });
    expect((await operator.call("PUT", `${path}/org_nobody/plan`, { plan: "prepaid" })).status).toBe(404);
    const rows = [...(await audited("operator.credit_given")), ...(await audited("operator.plan_changed"))];
    expect(rows).toEqual([
      { org_id: orgId, actor_id: operator.userId, details: { amount: "12.50", reason: "welcome" } },
      { org_id: orgId, actor_id: operator.userId, details: { plan: "postpaid" } },
    ]);

    const ids: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const page = (await operator.call("GET", `${path}?limit=1${after && `&after=${after}`}`)).body.data as {
        organizations: { id: string }[];
        next: string | null;
      };
      ids.push(...page.organizations.map(({ id }) => id));
      after = page.next;
    }
    const all = await api.database.db.selectFrom("organizations").select("id").orderBy("id").execute();
    expect(ids).toEqual(all.map(({ id }) => id));
  });

  it("records a bank transfer that was announced, once", async () => {
    const owner = await TestPerson.registerVerified(api);
    const begun = await owner.call("POST", `/api/orgs/${owner.orgId}/billing/top-ups`, { amount: "25.00" });
    const { transfers } = (await operator.call("GET", "/api/operator/transfers")).body.data as {
      transfers: { id: string; orgId: string; orgName: string }[];
    };
    const transfer = transfers.find(({ orgId }) => orgId === owner.orgId);
    expect(transfer?.orgName).not.toBe("");
    expect(transfer).toMatchObject({ amount: "25.00", invoiceId: null });
    expect(JSON.stringify(begun.body)).toContain(transfer?.id);
    const path = `/api/operator/transfers/${transfer?.id}/received`;
    expect((await operator.call("POST", path)).status).toBe(200);
    expect((await operator.call("POST", path)).status).toBe(409);
    expect((await operator.call("POST", "/api/operator/transfers/pay_nobody/received")).status).toBe(404);
    expect((await owner.call("GET", `/api/orgs/${owner.orgId}/billing`)).body.data).toMatchObject({
      balance: { available: "25.00" },
    });
    expect(await audited("operator.transfer_received")).toEqual([
      { org_id: owner.orgId, actor_id: operator.userId, details: { paymentId: transfer?.id } },
    ]);
  });
});
