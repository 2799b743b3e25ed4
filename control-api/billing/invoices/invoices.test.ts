import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { insertUsage } from "../metering/usage-store.ts";
import { followNumbers } from "../numbers/store.ts";
import { changePlan } from "../wallet/change-plan.ts";
import { chargeUsage } from "../wallet/charge.ts";
import { issueInvoices } from "./issue.ts";

let api: TestControlApi;
let members: TestMembers;
beforeAll(async () => {
  api = await TestControlApi.start();
  members = await TestMembers.create(api);
  const { orgId } = members;
  const at = new Date("2026-01-10T00:00:00Z");
  await changePlan(api.database, { orgId, plan: "postpaid", at });
  const about = {
    orgId,
    agentId: "",
    keyId: "",
    sessionId: null,
    channel: "chat",
    vendor: "chat",
    priceId: null,
  };
  await api.database.db.transaction().execute(async (trx) => {
    const used = await insertUsage(trx, [
      { ...about, source: "1", metric: "messages", quantity: 3n, amount: 1_005_001n, at },
      { ...about, source: "2", metric: "call_seconds", quantity: 60n, amount: 500_000n, at },
    ]);
    await chargeUsage(trx, { used, ended: [], now: at });
    const now = new Date("2026-02-01T00:00:00Z");
    await issueInvoices(trx, { orgId, from: "2026-01-10", now });
    await issueInvoices(trx, { orgId, from: "2026-02-01", now });
  });
  const number = { id: "num_1", org_id: orgId, number: "+12025550100", carrier: "telnyx", label: "" };
  await api.database.db
    .insertInto("phone_numbers")
    .values({ ...number, agent_id: null, user_id: null, created_at: "2026-01-31T12:00:00Z" })
    .execute();
  await followNumbers(api.database.db);
});
afterAll(() => api.close());

const read = async (path: string, whose: "own" | "others" = "own") =>
  whose === "own"
    ? api.call("GET", `/api/orgs/${members.orgId}/billing/${path}`, {
        token: await members.token("owner"),
        orgId: members.orgId,
      })
    : members.stranger.person.call("GET", `/api/orgs/${members.stranger.orgId}/billing/${path}`);

it("lists what was invoiced, in whole cents, with the lines it is made of", async () => {
  const { body } = await read("invoices");
  const { invoices } = body.data as { invoices: { id: string }[] };
  expect(invoices).toMatchObject([
    {
      periodStart: "2026-01-10",
      periodEnd: "2026-01-31",
      state: "open",
      subtotal: "1.505001",
      tax: "0.00",
      total: "1.51",
      dueAt: "2026-02-15T00:00:00.000Z",
      paidAt: null,
    },
  ]);
  const id = invoices[0]?.id;
  expect((await read(`invoices/${id}`)).body.data).toMatchObject({
    lines: [
      { metric: "call_seconds", vendor: "chat", quantity: 60, amount: "0.50" },
      { metric: "messages", vendor: "chat", quantity: 3, amount: "1.005001" },
    ],
  });
  expect((await read(`invoices/${id}`, "others")).status).toBe(404);
  expect((await read("invoices/1")).status).toBe(400);
});

it("lists numbers with when they renew: the last day of a month that is shorter", async () => {
  expect((await read("numbers")).body.data).toEqual({
    numbers: [
      {
        id: "num_1",
        number: "+12025550100",
        state: "active",
        renewsAt: "2026-02-28T12:00:00.000Z",
        rent: null,
      },
    ],
  });
  expect((await read("numbers", "others")).body.data).toEqual({ numbers: [] });
});
