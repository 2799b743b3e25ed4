import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOrganization, type TestOrganization } from "../../../testkit/organization.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";
import { readBalances } from "../ledger/post.ts";
import { rebuildSums } from "../ledger/rebuild.ts";
import { putLimit } from "../limits/store.ts";
import { giveCredit } from "./credit.ts";

const SOON = { timeout: 60_000 };
const DOLLAR = 1_000_000n;
/** A cent a minute: five minutes of it are held. */
const HELD = 50_000n;

let webhooks: TestWebhooks;
let org: TestOrganization;
let nr = 0;
beforeAll(async () => {
  webhooks = await TestWebhooks.start({ env: { BILLING: "on" } });
  const at = "2026-01-01T00:00:00Z";
  const about = { org_id: "", vendor: "", from_at: at, created_at: at };
  await webhooks.api.database.db
    .insertInto("prices")
    .values([
      { ...about, id: "prc_1", metric: "call_seconds", micros: 10_000n, per: 60n },
      { ...about, id: "prc_2", metric: "tts_characters", micros: 1_000n, per: 1n },
    ])
    .execute();
});
afterAll(() => webhooks.close());
beforeEach(async () => {
  org = await createOrganization(webhooks.api.database);
});

const credit = (amount: bigint, source = String(++nr)) =>
  giveCredit(webhooks.api.database, { orgId: org.orgId, amount, source, at: new Date() });
const balances = () => readBalances(webhooks.api.database.db, org.orgId);
const begin = (key = org.keys.owner) =>
  webhooks.api.call("POST", "/api/sessions/init-web-call", {
    key,
    body: { agentId: org.agentId, identifier: "customer-7" },
  });
const sessionIdOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.data as { sessionId: string }).sessionId;
const happen = (sessionId: string, event: Record<string, unknown>) =>
  webhooks.happen(sessionId, org.orgId, event);
const end = (sessionId: string, durationSecs: number) =>
  happen(sessionId, { type: "call.ended", reason: "hangup", status: "completed", durationSecs });
const start = (sessionId: string) =>
  happen(sessionId, { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le" });
const calls = async () =>
  (await webhooks.api.database.db.selectFrom("calls").select("id").where("org_id", "=", org.orgId).execute())
    .length;
const limit = (
  kind: "soft" | "hard",
  amount: bigint,
  scope: { scope?: "agent" | "key"; scopeId?: string } = {},
) =>
  putLimit(webhooks.api.database.db, {
    id: `lim_${++nr}`,
    orgId: org.orgId,
    scope: scope.scope ?? "organization",
    scopeId: scope.scopeId ?? "",
    period: "day",
    kind,
    amount,
    at: new Date(),
  });

describe("a prepaid organization", () => {
  it("has five minutes of a call held before it, and pays what it used after it", async () => {
    await credit(DOLLAR);
    const sessionId = sessionIdOf(await begin());
    expect(await balances()).toMatchObject({ wallet: DOLLAR - HELD, held: HELD });
    await start(sessionId);
    const said = { type: "call.message", turn: 1, role: "assistant", interrupted: false, source: "speech" };
    await happen(sessionId, { ...said, text: "Hello!" });
    await expect
      .poll(balances, SOON)
      .toMatchObject({ wallet: DOLLAR - HELD, held: HELD - 6_000n, revenue: 6_000n });
    await end(sessionId, 60);
    await expect.poll(balances, SOON).toMatchObject({ wallet: DOLLAR - 16_000n, held: 0n, revenue: 16_000n });
    await end(sessionId, 61);
    await webhooks.press(sessionId, org.orgId);
    expect(await balances()).toMatchObject({ wallet: DOLLAR - 16_000n, revenue: 16_000n });
    expect(await rebuildSums(webhooks.api.database.db)).toEqual({ balances: 0, days: 0 });
  });

  it("pays a call that cost more than was held out of its balance, which may go below zero", async () => {
    await credit(HELD);
    const sessionId = sessionIdOf(await begin());
    await start(sessionId);
    await end(sessionId, 600);
    await expect.poll(balances, SOON).toMatchObject({ wallet: -50_000n, held: 0n, revenue: 100_000n });
    expect((await begin()).status).toBe(402);
  });

  it("may not call with too little: the answer says how much is missing, and there is no call", async () => {
    await credit(HELD - 1n);
    const { status, body } = await begin();
    expect(status).toBe(402);
    expect(body).toMatchObject({
      code: "payment_required",
      error: expect.stringContaining("The balance of 0.049999 USD does not cover 0.05 USD"),
      details: { reason: "balance", available: "0.049999", needed: "0.05" },
    });
    expect(await calls()).toBe(0);
    expect(await balances()).toMatchObject({ wallet: HELD - 1n, held: 0n });
  });

  it("never has more held than it has, however many calls are asked for at once", async () => {
    await credit(2n * HELD);
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 402, 402, 402]);
    expect(await balances()).toMatchObject({ wallet: 0n, held: 2n * HELD });
  });

  it("is given a credit once for each source", async () => {
    expect([await credit(DOLLAR, "gift"), await credit(DOLLAR, "gift")]).toEqual([true, false]);
    expect(await balances()).toMatchObject({ wallet: DOLLAR, credits: -DOLLAR });
  });
});

describe("a postpaid organization", () => {
  beforeEach(async () => {
    await webhooks.api.database.db
      .insertInto("billing_accounts")
      .values({ org_id: org.orgId, plan: "postpaid", suspended_at: null, created_at: new Date() })
      .execute();
  });

  it("calls without a balance, and owes what it used", async () => {
    const sessionId = sessionIdOf(await begin());
    await start(sessionId);
    await end(sessionId, 90);
    await expect
      .poll(balances, SOON)
      .toMatchObject({ wallet: 0n, held: 0n, unbilled: -15_000n, revenue: 15_000n });
  });

  it("makes no new call while it is suspended, by voice or in text, and keeps its data", async () => {
    await webhooks.api.database.db
      .updateTable("billing_accounts")
      .set({ state: "suspended", suspended_at: new Date() })
      .where("org_id", "=", org.orgId)
      .execute();
    const call = await begin();
    expect(call.status).toBe(402);
    expect(call.body).toMatchObject({ code: "payment_required", details: { reason: "suspended" } });
    const chat = await webhooks.api.call("POST", "/api/v1/chat", {
      key: org.keys.owner,
      body: { agentId: org.agentId, identifier: "customer-7", input: "Hi" },
    });
    expect(chat.status).toBe(402);
    const read = await webhooks.api.call("GET", `/api/orgs/${org.orgId}/calls`, { key: org.keys.owner });
    expect(read.status).toBe(200);
  });
});

describe("spending limits", () => {
  it("a hard one refuses the next call that may go beyond it, and says until when", async () => {
    await credit(DOLLAR);
    await limit("hard", 2n * HELD);
    expect((await begin()).status).toBe(200);
    expect((await begin()).status).toBe(200);
    const { status, body } = await begin();
    expect(status).toBe(402);
    expect(body).toMatchObject({ code: "spending_limit_reached", details: { limit: "0.10", spent: "0.00" } });
    expect(body.error).toContain("The organization's spending limit of 0.10 USD a day is reached");
    expect(await balances()).toMatchObject({ held: 2n * HELD });
  });

  it("are of an agent or a key alone, if they say so", async () => {
    await credit(DOLLAR);
    const keys = await webhooks.api.database.db
      .selectFrom("api_keys")
      .select(["id", "name"])
      .where("org_id", "=", org.orgId)
      .where("revoked_at", "is", null)
      .execute();
    const scopeId = keys.find(({ name }) => name === "admin")?.id ?? "";
    await limit("hard", 0n, { scope: "key", scopeId });
    await limit("hard", 0n, { scope: "agent", scopeId: "agt_another" });
    expect((await begin(org.keys.owner)).status).toBe(200);
    expect((await begin(org.keys.admin)).body).toMatchObject({ code: "spending_limit_reached" });
    await limit("hard", 0n, { scope: "agent", scopeId: org.agentId });
    expect((await begin(org.keys.owner)).body).toMatchObject({
      code: "spending_limit_reached",
      error: expect.stringContaining("The agent's spending limit of 0.00 USD a day is reached"),
    });
  });

  it("a soft one lets calls go on, and warns once in its period", async () => {
    await credit(DOLLAR);
    await limit("soft", HELD / 2n);
    expect([(await begin()).status, (await begin()).status]).toEqual([200, 200]);
    const jobs = await webhooks.api.database.db
      .selectFrom("jobs")
      .select("id")
      .where("kind", "=", "warn_of_spending")
      .where("owner", "=", org.orgId)
      .execute();
    expect(jobs).toHaveLength(1);
  });
});
