import { createLogger } from "@parley/shared/log.ts";
import { type Kysely, sql } from "kysely";
import { Agent } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { FakeStripe, signedEvent } from "../../../testkit/fakes/stripe-payments.ts";
import { addInvoice } from "../../../testkit/invoices.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";
import type { Tables } from "../../database/tables.ts";
import { readBalances } from "../ledger/post.ts";
import { rebuildSums } from "../ledger/rebuild.ts";
import { changePlan } from "../wallet/change-plan.ts";
import { topUpLow } from "./auto-top-up.ts";
import { findMethod } from "./method-store.ts";
import { stripePayments } from "./stripe/provider.ts";

const DOLLAR = 1_000_000n;
const HOUR_MS = 3_600_000;

const clock = new SteppingClock();
let stripe: FakeStripe;
let api: TestControlApi;
let owner: TestPerson;
let orgId: string;
const agent = new Agent();
beforeAll(async () => {
  stripe = await FakeStripe.start();
  const env = { BILLING: "on", ...stripe.env };
  api = await TestControlApi.start({
    isEmbedded: true,
    env,
    clock,
    credentialCacheMs: 0,
    allowPrivateTargets: ["127.0.0.0/8"],
  });
  owner = await TestPerson.registerVerified(api);
});
afterAll(async () => {
  await api.close();
  await agent.close();
  stripe.close();
});
beforeEach(async () => {
  ({ orgId } = await createOrganization(api.database));
  const { userId } = owner;
  await api.database.db
    .insertInto("memberships")
    .values({ org_id: orgId, user_id: userId, role: "owner" })
    .execute();
  stripe.declines = undefined;
});

const ask = (method: string, below: string, body?: unknown) =>
  owner.call(method, `/api/orgs/${orgId}/billing/${below}`, body, orgId);
const topUp = (body: Record<string, unknown> = {}) => ask("POST", "top-ups", { amount: "25", ...body });
const balances = () => readBalances(api.database.db, orgId);
const tell = (event: Record<string, unknown>, atMs = clock.wallMs(), secret?: string) =>
  api.call("POST", "/api/public/stripe", signedEvent(event, atMs, secret));
async function tellAll(events: readonly Record<string, unknown>[]): Promise<void> {
  for (const event of events) expect((await tell(event)).status).toBe(200);
}
/** All rows of the tables about payments, as text. */
async function everythingKept(db: Kysely<Tables>): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and (tablename like 'payment%' or tablename like 'ledger%' or tablename like 'billing%'
      or tablename = 'jobs')`.execute(db);
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(
        db,
      );
      return rows.map(({ row }) => row).join("\n");
    }),
  );
  return texts.join("\n");
}
const payments = async () => (await ask("GET", "payments")).body.data as Record<string, unknown>;
const autoTopUps = () =>
  topUpLow(
    {
      database: api.database,
      clock,
      log: createLogger({ level: "silent", format: "json", name: "test" }),
      provider: stripePayments({
        apiUrl: stripe.vendor.url,
        secretKey: stripe.env.STRIPE_SECRET_KEY ?? "",
        dispatchers: { of: () => agent },
      }),
      messenger: { post: () => undefined },
      baseUrl: () => "http://parley.example",
    },
    new AbortController().signal,
  );

describe("adding to the balance through Stripe", () => {
  it("leads to a page of Stripe's, and the balance has it once Stripe says that it is paid", async () => {
    const { status, body } = await topUp();
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      url: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//),
      instructions: null,
    });
    expect((await balances()).wallet).toBe(0n);
    expect(await payments()).toMatchObject({
      provider: "stripe",
      payments: [{ amount: "25.00", state: "pending", purpose: "top_up" }],
    });
    await tellAll(stripe.pay());
    expect(await balances()).toMatchObject({ wallet: 25n * DOLLAR, cash: -25n * DOLLAR });
    expect(await payments()).toMatchObject({ payments: [{ state: "succeeded" }] });
  });

  it("books a payment once, in whatever order and however often Stripe tells of it", async () => {
    await topUp();
    const events = stripe.pay().toReversed();
    await tellAll([...events, ...events]);
    await Promise.all([...events, ...events].map((event) => tell(event)));
    expect((await balances()).wallet).toBe(25n * DOLLAR);
    expect(await rebuildSums(api.database.db)).toEqual({ balances: 0, days: 0 });
  });

  it("keeps nothing of a card that Stripe tells of, and asks for none", async () => {
    await topUp({ savesMethod: true });
    const card = {
      brand: "visa",
      last4: "9424",
      exp_month: 8,
      exp_year: 2031,
      fingerprint: "Xt5EWLLDS7FJjR1c",
    };
    const told = stripe.pay().map((event) => {
      const { object } = event.data as { object: object };
      const method = { type: "card", card, billing_details: { name: "Jenny Rosen" } };
      return { ...event, data: { object: { ...object, payment_method_details: method } } };
    });
    await tellAll(told);
    expect((await balances()).wallet).toBe(25n * DOLLAR);
    const kept = await everythingKept(api.database.db);
    expect(kept).toContain(stripe.checkouts.at(-1)?.intentId);
    for (const secret of [card.last4, card.fingerprint, "Jenny Rosen", "2031"])
      expect(kept).not.toContain(secret);
    const withCard = await topUp({ card: { number: "4242424242424242" } });
    expect(withCard.status).toBe(400);
  });

  it("takes events only with Stripe's signature over the very bytes, of the last five minutes", async () => {
    await topUp();
    const [event = {}] = stripe.pay();
    expect((await tell(event, clock.wallMs(), "whsec_guessed")).status).toBe(400);
    expect((await tell(event, clock.wallMs() - 301_000)).status).toBe(400);
    expect((await api.call("POST", "/api/public/stripe", { body: event })).status).toBe(400);
    const { headers } = signedEvent(event, clock.wallMs());
    const changed = JSON.stringify({ ...event, amount: 1 });
    expect((await api.call("POST", "/api/public/stripe", { body: changed, headers })).status).toBe(400);
    expect((await balances()).wallet).toBe(0n);
  });

  it("passes over what is not about payments of ours", async () => {
    const intent = { id: "pi_other", amount_received: 100, currency: "usd", metadata: {} };
    const strange = { ...intent, metadata: { payment_id: "pay_nobody" } };
    await tellAll([
      stripe.event("payment_intent.succeeded", intent),
      stripe.event("payment_intent.succeeded", strange),
      stripe.event("payment_intent.succeeded", { ...intent, currency: "eur" }),
      stripe.event("customer.created", { id: "cus_1" }),
    ]);
    expect((await balances()).wallet).toBe(0n);
  });

  it("forgets a checkout that expired, unless money came for it all the same", async () => {
    await topUp();
    const paid = stripe.pay();
    const [, completed = {}] = paid;
    const { object } = completed.data as { object: Record<string, unknown> };
    await tell(stripe.event("checkout.session.expired", { ...object, payment_status: "unpaid" }));
    expect(await payments()).toMatchObject({
      payments: [{ state: "failed", failure: "Nobody paid in time." }],
    });
    await tellAll(paid);
    expect((await balances()).wallet).toBe(25n * DOLLAR);
  });

  it("says that Stripe is away, and keeps what is asked for in bounds", async () => {
    stripe.vendor.fault = { status: 500, json: {} };
    expect((await topUp()).status).toBe(503);
    stripe.vendor.fault = undefined;
    for (const amount of ["4.99", "10000.01", "1.001", "-5", "1e3"])
      expect((await topUp({ amount })).status).toBe(400);
    await changePlan(api.database, { orgId, plan: "postpaid", at: new Date(clock.wallMs()) });
    expect((await topUp()).status).toBe(409);
  });
});

describe("money that goes back", () => {
  it("is taken off the balance by a dispute, and put back when that is won, once each", async () => {
    await topUp();
    const events = stripe.pay();
    await tellAll(events);
    const intentId = stripe.checkouts.at(-1)?.intentId;
    const dispute = { id: "dp_1", amount: 2_500, currency: "usd", payment_intent: intentId };
    const withdrawn = stripe.event("charge.dispute.funds_withdrawn", dispute);
    await tellAll([withdrawn, withdrawn]);
    expect(await balances()).toMatchObject({ wallet: 0n, cash: 0n });
    await tellAll([stripe.event("charge.dispute.funds_reinstated", dispute)]);
    expect((await balances()).wallet).toBe(25n * DOLLAR);
    const refund = { id: "re_1", amount: 1_000, currency: "usd", payment_intent: intentId };
    await tellAll([stripe.event("refund.created", { ...refund, status: "succeeded" })]);
    expect((await balances()).wallet).toBe(15n * DOLLAR);
  });

  it("is taken off also when it is reported before the payment, once", async () => {
    await topUp();
    const events = stripe.pay();
    const about = { amount: 1_000, currency: "usd", payment_intent: stripe.checkouts.at(-1)?.intentId };
    const refund = stripe.event("refund.created", { ...about, id: "re_early" });
    const withdrawn = stripe.event("charge.dispute.funds_withdrawn", { ...about, id: "dp_early" });
    const reinstated = stripe.event("charge.dispute.funds_reinstated", { ...about, id: "dp_early" });
    await Promise.all([reinstated, refund, withdrawn].map((event) => tell(event)));
    expect((await balances()).wallet).toBe(0n);
    await Promise.all([...events, refund].map((event) => tell(event)));
    expect(await balances()).toMatchObject({ wallet: 15n * DOLLAR, cash: -15n * DOLLAR });
    await tellAll([...events, refund]);
    expect((await balances()).wallet).toBe(15n * DOLLAR);
  });

  it("makes an invoice due again that was paid by it", async () => {
    const { invoiceId } = await addInvoice(api.database, { orgId, amount: 30n * DOLLAR, clock });
    expect((await ask("POST", `invoices/${invoiceId}/payments`)).status).toBe(201);
    await tellAll(stripe.pay());
    const state = async () => (await ask("GET", `invoices/${invoiceId}`)).body.data as { state: string };
    expect((await state()).state).toBe("paid");
    expect((await ask("POST", `invoices/${invoiceId}/payments`)).status).toBe(409);
    const dispute = {
      id: `dp_${invoiceId}`,
      amount: 3_000,
      currency: "usd",
      payment_intent: stripe.checkouts.at(-1)?.intentId,
    };
    await tellAll([stripe.event("charge.dispute.funds_withdrawn", dispute)]);
    expect((await state()).state).toBe("open");
    expect((await balances()).receivable).toBe(-30n * DOLLAR);
    await tellAll([stripe.event("charge.dispute.funds_reinstated", dispute)]);
    expect((await state()).state).toBe("paid");
    expect((await balances()).receivable).toBe(0n);
  });
});

describe("a balance that tops itself up", () => {
  const save = async () => {
    await topUp({ amount: "5", savesMethod: true });
    await tellAll(stripe.pay());
    return ask("PUT", "auto-top-up", { autoTopUp: { below: "10", amount: "20" } });
  };

  it("needs something saved to pay with", async () => {
    const wanted = { autoTopUp: { below: "10", amount: "20" } };
    expect((await ask("PUT", "auto-top-up", wanted)).status).toBe(409);
    expect((await save()).body.data).toEqual({
      hasMethod: true,
      below: "10.00",
      amount: "20.00",
      pausedFor: null,
    });
    expect((await ask("PUT", "auto-top-up", { autoTopUp: { below: "10", amount: "1" } })).status).toBe(400);
    expect((await ask("PUT", "auto-top-up", { autoTopUp: null })).body.data).toMatchObject({ below: null });
  });

  it("takes one payment when it is low, also when nobody knows whether Stripe answered, and none when it is not", async () => {
    await save();
    const before = stripe.taken.size;
    const { promise, resolve } = Promise.withResolvers<void>();
    stripe.vendor.held = promise;
    const both = Promise.all([autoTopUps(), autoTopUps()]);
    resolve();
    stripe.vendor.held = undefined;
    await both;
    await autoTopUps();
    expect((await balances()).wallet).toBe(25n * DOLLAR);
    expect(stripe.taken.size).toBe(before + 1);
  });

  it("stops at a card that is declined, says so, and goes on once it is set again", async () => {
    await save();
    stripe.declines = "Your card was declined.";
    await autoTopUps();
    await autoTopUps();
    expect(await payments()).toMatchObject({
      autoTopUp: { pausedFor: "Your card was declined." },
      payments: [{ purpose: "auto_top_up", state: "failed", failure: "Your card was declined." }, {}],
    });
    stripe.declines = undefined;
    await ask("PUT", "auto-top-up", { autoTopUp: { below: "10", amount: "20" } });
    await autoTopUps();
    expect((await balances()).wallet).toBe(25n * DOLLAR);
  });

  it("does not ask again after a day, when Stripe has forgotten that it was asked", async () => {
    await save();
    stripe.vendor.fault = { status: 500, json: {} };
    await autoTopUps();
    stripe.vendor.fault = undefined;
    clock.pass(21 * HOUR_MS);
    await autoTopUps();
    expect(await balances()).toMatchObject({ wallet: 5n * DOLLAR });
    expect((await findMethod(api.database.db, orgId))?.pausedFor).toContain("never said");
  });
});
