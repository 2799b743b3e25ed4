import { Writable } from "node:stream";
import { EVENT_CATALOG, type EventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import type { Databases } from "../../database/open.ts";
import { listUnpaid } from "../invoices/store.ts";
import { readBalances } from "../ledger/post.ts";
import { rebuildSums } from "../ledger/rebuild.ts";
import { insertUsage } from "../metering/usage-store.ts";
import { recordInvoicePaid, recordTopUp } from "../payments/record-payment.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { changePlan } from "../wallet/change-plan.ts";
import { chargeUsage } from "../wallet/charge.ts";
import { advanceAll } from "./advance.ts";
import { DAY_MS } from "./days.ts";

const BEGIN = Date.UTC(2026, 0, 1);
const STEP_DAYS = 3;
const DOLLAR = 1_000_000n;
/** The events by name, as every second organization subscribes to them. */
const BY_NAME = Object.keys(EVENT_CATALOG).filter((name) => name.startsWith("billing."));

let database: Databases;
let logged = "";
beforeAll(async () => {
  database = await lentDatabase();
  const at = new Date(BEGIN);
  const rent = { org_id: "", metric: "number_months", vendor: "", micros: 2n * DOLLAR, per: 1n };
  await database.db
    .insertInto("prices")
    .values({ id: "prc_rent", ...rent, from_at: at, created_at: at })
    .execute();
});
afterAll(() => database.close());

interface Customer {
  readonly orgId: string;
  readonly number: string;
  /** What it does on a day; the day of the year, from 0. */
  readonly act?: (day: number, at: Date) => Promise<unknown>;
}

async function customer(
  nr: number,
  {
    plan,
    act,
    hasNumber = true,
  }: { plan: "prepaid" | "postpaid"; act?: (orgId: string) => Customer["act"]; hasNumber?: boolean },
): Promise<Customer> {
  const { orgId, userId } = await createOrganization(database);
  const at = new Date(BEGIN);
  const number = `+1555000${String(nr).padStart(4, "0")}`;
  const about = { label: "", agent_id: null, user_id: userId, created_at: at };
  if (hasNumber)
    await database.db
      .insertInto("phone_numbers")
      .values({ id: `num_${nr}`, org_id: orgId, number, carrier: "telnyx", ...about })
      .execute();
  await changePlan(database, { orgId, plan, at });
  // One endpoint of the organization, and one of an agent, which hears nothing of this.
  const endpoint = {
    org_id: orgId,
    url: "https://example.com/",
    events: JSON.stringify(nr % 2 === 0 ? BY_NAME : ["*"]),
    created_at: at,
  };
  const flags = {
    include_recording: false,
    include_transcript: false,
    secret_sealed: "x",
    created_by: userId,
  };
  const unset = { listening_until: null, last_error: null, owners_told_at: null, removed_at: null };
  for (const [id, agentId] of [
    [`whk_${nr}`, null],
    [`whk_agents_${nr}`, "agt_1"],
  ] as const)
    await database.db
      .insertInto("webhook_endpoints")
      .values({ id, agent_id: agentId, ...endpoint, ...flags, ...unset })
      .execute();
  const acts = act?.(orgId);
  return { orgId, number, ...(acts ? { act: acts } : {}) };
}

async function use(orgId: string, amount: bigint, at: Date): Promise<void> {
  await database.db.transaction().execute(async (trx) => {
    const about = {
      sessionId: null,
      agentId: "",
      keyId: "",
      channel: "telephony",
      vendor: "telnyx",
      priceId: null,
    };
    const source = `used ${orgId} ${at.toISOString()}`;
    const used = await insertUsage(trx, [
      { ...about, source, metric: "call_seconds", orgId, quantity: 60n, amount, at },
    ]);
    await chargeUsage(trx, { used, ended: [], now: at });
  });
}

const topUp = (orgId: string, dollars: bigint, at: Date) =>
  recordTopUp(database, { orgId, amount: dollars * DOLLAR, source: `${orgId} ${at.toISOString()}`, at });

async function payAll(orgId: string, at: Date): Promise<void> {
  for (const { id } of await listUnpaid(database.db, orgId))
    await recordInvoicePaid(database, { invoiceId: id, source: `transfer ${id}`, at });
}

async function told(orgId: string): Promise<Record<string, unknown>[]> {
  const rows = await database.db
    .selectFrom("webhook_deliveries")
    .select(["body", "endpoint_id"])
    .where("org_id", "=", orgId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  expect(rows.every(({ endpoint_id: id }) => !id.includes("agents"))).toBe(true);
  return rows.map(({ body }) => JSON.parse(body));
}

/** Subjects of the mails that the owners get. */
async function mailed(orgId: string): Promise<string[]> {
  const jobs = await database.db
    .selectFrom("jobs")
    .select("payload")
    .where("owner", "=", orgId)
    .where("kind", "=", "tell_owners_of_billing")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return jobs.map(({ payload }) => (payload as { subject: string }).subject);
}

async function liveThrough(customers: readonly Customer[], days: number): Promise<void> {
  const clock = new ManualClock(BEGIN);
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      logged += String(chunk);
      done();
    },
  });
  const log = createLogger({ level: "warn", format: "json", name: "test", destination });
  const deps = { database, clock, log, announceDeliveries: () => undefined };
  for (let day = 0; day < days; day += STEP_DAYS) {
    const at = new Date(clock.wallMs());
    for (const { act } of customers) await act?.(day, at);
    await advanceAll(deps, new AbortController().signal);
    if (day % 60 === 0) await advanceAll(deps, new AbortController().signal);
    clock.advance(STEP_DAYS * DAY_MS);
  }
}

const names = (events: readonly Record<string, unknown>[]) =>
  events.map(({ event }) => String(event).replace("billing.", ""));

it("a year of twelve organizations: every billing event with its payload, in its order, once", {
  timeout: 300_000,
}, async () => {
  const rich = await Promise.all(
    [1, 2, 3, 4].map((nr) =>
      customer(nr, {
        plan: "prepaid",
        act: (orgId) => async (day, at) => (day === 0 ? topUp(orgId, 100n, at) : undefined),
      }),
    ),
  );
  const punctual = await Promise.all(
    [5, 6, 7].map((nr) =>
      customer(nr, {
        plan: "postpaid",
        act: (orgId) => async (day, at) => {
          if (day % 30 === 0) await use(orgId, 10_004_000n, at);
          if (day % 30 === 12) await payAll(orgId, at);
        },
      }),
    ),
  );
  const broke = await customer(8, { plan: "prepaid" });
  const rescued = await customer(9, {
    plan: "prepaid",
    act: (orgId) => async (day, at) => (day === 36 ? topUp(orgId, 5n, at) : undefined),
  });
  const gone = await customer(10, {
    plan: "postpaid",
    act: (orgId) => async (day, at) => (day === 0 ? use(orgId, 1_500_000n, at) : undefined),
  });
  const late = await customer(11, {
    plan: "postpaid",
    act: (orgId) => async (day, at) => {
      if (day === 0) await use(orgId, 129_500_000n, at);
      if (day === 60) await payAll(orgId, at);
      if (day > 60 && day % 30 === 12) await payAll(orgId, at);
    },
  });
  const silent = await customer(12, { plan: "postpaid", hasNumber: false });
  const all = [...rich, ...punctual, broke, rescued, gone, late, silent];
  await liveThrough(all, 365);
  expect(logged).toBe("");

  expect(BY_NAME).toHaveLength(8);
  for (const { orgId } of all) {
    for (const payload of await told(orgId)) {
      const { schema } = EVENT_CATALOG[payload.event as EventName];
      expect(schema.parse(payload)).toEqual(payload);
      expect(payload).not.toHaveProperty("agentId");
    }
  }

  for (const { orgId, number } of rich) {
    const events = await told(orgId);
    expect(names(events)).toEqual([
      ...Array.from({ length: 11 }, () => ["number_renewal_due", "number_renewed"]).flat(),
      "number_renewal_due",
    ]);
    expect(events[0]).toEqual({
      event: "billing.number_renewal_due",
      orgId,
      occurredAt: "2026-01-25T00:00:00.000Z",
      e164: number,
      renewsAt: "2026-02-01T00:00:00.000Z",
      rentUsd: "2.00",
      shortfallUsd: null,
      atRisk: false,
    });
    expect(events[1]).toEqual({
      event: "billing.number_renewed",
      orgId,
      occurredAt: "2026-02-03T00:00:00.000Z",
      e164: number,
      rentUsd: "2.00",
      period: "2026-02-01",
    });
    expect(
      events.filter(({ event }) => event === "billing.number_renewed").map(({ period }) => period),
    ).toEqual(Array.from({ length: 11 }, (_, month) => `2026-${String(month + 2).padStart(2, "0")}-01`));
    expect((await readBalances(database.db, orgId)).wallet).toBe(78n * DOLLAR);
  }

  for (const { orgId } of punctual) {
    const events = await told(orgId);
    const issued = events.filter(({ event }) => event === "billing.invoice_issued");
    expect(issued).toHaveLength(11);
    expect(names(events)).not.toContain("payment_overdue");
    expect(issued[0]).toEqual({
      event: "billing.invoice_issued",
      orgId,
      occurredAt: "2026-02-03T00:00:00.000Z",
      invoiceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      periodStart: "2026-01-01",
      periodEnd: "2026-01-31",
      totalBilled: "20.01",
      currency: "USD",
      dueOn: "17 February 2026",
    });
  }

  expect(names(await told(broke.orgId))).toEqual([
    "number_renewal_due",
    "number_renewal_failed",
    "number_released_nonpayment",
  ]);
  expect(await told(broke.orgId)).toEqual([
    {
      event: "billing.number_renewal_due",
      orgId: broke.orgId,
      occurredAt: "2026-01-25T00:00:00.000Z",
      e164: broke.number,
      renewsAt: "2026-02-01T00:00:00.000Z",
      rentUsd: "2.00",
      shortfallUsd: "2.00",
      atRisk: true,
    },
    {
      event: "billing.number_renewal_failed",
      orgId: broke.orgId,
      occurredAt: "2026-02-03T00:00:00.000Z",
      e164: broke.number,
      rentUsd: "2.00",
      graceDays: 7,
    },
    {
      event: "billing.number_released_nonpayment",
      orgId: broke.orgId,
      occurredAt: "2026-02-12T00:00:00.000Z",
      reason: "renewal_unpaid",
      e164: broke.number,
      overdueDays: 9,
      graceDays: 7,
    },
  ]);

  expect(await mailed(rich[0]?.orgId ?? "")).toEqual([]);
  expect(await mailed(broke.orgId)).toEqual([
    `Your balance doesn't cover ${broke.number}`,
    `${broke.number} couldn't be renewed`,
    `${broke.number} was released`,
  ]);

  expect(names(await told(rescued.orgId)).slice(0, 6)).toEqual([
    "number_renewal_due",
    "number_renewal_failed",
    "number_renewed",
    "number_renewal_due",
    "number_renewed",
    "number_renewal_due",
  ]);

  const events = await told(gone.orgId);
  expect(names(events)).toEqual([
    "number_renewal_due",
    "invoice_issued",
    "number_renewed",
    "payment_overdue",
    "number_renewal_due",
    "account_suspended",
    "number_release_pending",
    "invoice_issued",
    "payment_overdue",
    "number_released_nonpayment",
  ]);
  expect(await mailed(gone.orgId)).toEqual([
    "New invoice: 1.50 USD",
    "Invoice overdue: 1.50 USD",
    "Your account is suspended",
    "New invoice: 2.00 USD",
    "Invoice overdue: 2.00 USD",
    `${gone.number} was released`,
  ]);
  const only = (name: string) => events.find(({ event }) => event === `billing.${name}`);
  const { event: _issued, occurredAt: _at, ...invoice } = only("invoice_issued") ?? {};
  expect(only("payment_overdue")).toEqual({
    event: "billing.payment_overdue",
    occurredAt: "2026-02-18T00:00:00.000Z",
    ...invoice,
  });
  expect(only("account_suspended")).toEqual({
    event: "billing.account_suspended",
    orgId: gone.orgId,
    occurredAt: "2026-02-27T00:00:00.000Z",
    reason: "payment_overdue",
    graceDays: 7,
  });
  expect(only("number_release_pending")).toEqual({
    event: "billing.number_release_pending",
    orgId: gone.orgId,
    occurredAt: "2026-02-27T00:00:00.000Z",
    e164: gone.number,
    reason: "postpaid_suspended",
    afterSuspendDays: 30,
  });
  expect(events.at(-1)).toEqual({
    event: "billing.number_released_nonpayment",
    orgId: gone.orgId,
    occurredAt: "2026-03-29T00:00:00.000Z",
    e164: gone.number,
    reason: "postpaid_suspended",
    daysSuspended: 30,
    afterSuspendDays: 30,
  });
  expect(await lockAccount(database.db, gone.orgId, new Date())).toMatchObject({
    suspendedAt: expect.any(Date),
  });

  const suspended = names(await told(late.orgId));
  expect(suspended.filter((name) => name === "account_suspended")).toHaveLength(1);
  expect(suspended).toContain("number_release_pending");
  expect(suspended).not.toContain("number_released_nonpayment");
  expect(await lockAccount(database.db, late.orgId, new Date())).toMatchObject({ suspendedAt: null });

  expect(await told(silent.orgId)).toEqual([]);
  expect(await mailed(silent.orgId)).toEqual([]);

  const numbers = await database.db.selectFrom("phone_numbers").select("number").execute();
  expect(numbers).toHaveLength(8);
  expect(await rebuildSums(database.db)).toEqual({ balances: 0, days: 0 });
});
