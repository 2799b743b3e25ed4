import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { putProfile } from "@parley/control-api/billing/taxes/store.ts";
import { type Database, openDatabase } from "@parley/control-api/database/open.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addInvoice } from "../testkit/invoices.ts";
import { needs } from "../testkit/needs.ts";
import { createTestDatabase } from "../testkit/postgres.ts";

const SCRIPT = join(import.meta.dirname, "billing.ts");
const run = promisify(execFile);

describe.runIf(needs("postgres"))("npx node scripts/billing.ts", () => {
  let own: Awaited<ReturnType<typeof createTestDatabase>>;
  let database: Database;
  beforeAll(async () => {
    own = await createTestDatabase();
    database = await openDatabase({ databaseUrl: own.url });
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });
  const say = async (...args: string[]) =>
    run(process.execPath, [SCRIPT, ...args], { env: { ...process.env, DATABASE_URL: own.url } });

  it("adds prices and lists them", async () => {
    const { stdout } = await say(
      "price",
      "tts_characters",
      "0.015",
      "--per",
      "1000",
      "--vendor",
      "elevenlabs",
    );
    expect(stdout).toMatch(/Added prc_/);
    expect((await say("prices")).stdout).toMatch(
      /tts_characters {2}elevenlabs {2}all {2}0\.015 for 1000 {2}[\s\S]*1 price/,
    );
  });

  it("gives credit once for each reason, changes the plan, and computes the balances anew", async () => {
    await database.db
      .insertInto("organizations")
      .values({ id: "org_1", name: "Acme", created_at: new Date() })
      .execute();
    expect((await say("credit", "org_1", "25.00", "welcome")).stdout).toContain("org_1 was given 25.00.");
    expect((await say("credit", "org_1", "25.00", "welcome")).stdout).toContain("given before");
    await database.db.updateTable("ledger_balances").set({ balance: 1n }).execute();
    expect((await say("rebuild")).stdout).toContain("2 balances and 0 days");
    expect((await say("plan", "org_1", "postpaid")).stdout).toContain("org_1 is postpaid now.");
  });

  it("records a bank transfer that was announced, once", async () => {
    const about = { org_id: "org_1", provider: "manual", purpose: "top_up", state: "pending" } as const;
    await database.db.updateTable("billing_accounts").set({ plan: "prepaid" }).execute();
    await database.db
      .insertInto("payments")
      .values({ ...about, id: "pay_1", amount: 12_000_000n, keeps_method: false, created_at: new Date() })
      .execute();
    expect((await say("transfers")).stdout).toMatch(/pay_1 {2}org_1 {2}12\.00 {2}top-up [\s\S]*1 announced/);
    expect((await say("received", "pay_1")).stdout).toContain("It is recorded.");
    expect((await say("received", "pay_1")).stdout).toContain("already recorded");
    const { balance } = await database.db
      .selectFrom("ledger_balances")
      .select("balance")
      .where("org_id", "=", "org_1")
      .where("account", "=", "cash")
      .executeTakeFirstOrThrow();
    expect(balance).toBe("-12000000");
  });

  it("adds rates of taxes, exempts who is billed, takes something off an invoice once, and lists how each stands", async () => {
    const { db } = database;
    const created_at = new Date();
    await db.insertInto("organizations").values({ id: "org_2", name: "Umbrella", created_at }).execute();
    expect((await say("tax", "DE", "VAT", "19")).stdout).toContain("DE takes 19 % (VAT).");
    expect((await say("taxes")).stdout).toMatch(/DE {2}VAT {2}19\.00 % {2}[\s\S]*1 rates/);
    await expect(say("exempt", "org_2", "yes")).rejects.toMatchObject({
      stderr: expect.stringContaining("org_2 has not said yet who is billed."),
    });
    const profile = { legalName: "Umbrella", address: "", country: "DE", taxId: "" };
    await putProfile(db, "org_2", profile);
    expect((await say("exempt", "org_2", "yes")).stdout).toContain("org_2 pays no tax.");
    expect((await say("exempt", "org_2", "no")).stdout).toContain("pays the tax of its country");
    const { invoiceId } = await addInvoice(database, {
      ...{ orgId: "org_2", amount: 100_000_000n },
      clock: new ManualClock(Date.now() + 60_000),
    });
    expect((await say("organizations")).stdout).toMatch(
      /org_2 {2}Umbrella {2}postpaid {2}active {2}has 0\.00 {2}owes 119\.00[\s\S]*\d organizations/,
    );
    const note = ["credit-note", invoiceId, "10.00", "outage"] as const;
    expect((await say(...note)).stdout).toContain("The credit note is issued.");
    expect((await say(...note)).stdout).toContain("It was issued before.");
    expect((await say("organizations")).stdout).toMatch(/org_2 .*owes 109\.00/);
    expect((await say("paid", invoiceId, "transfer 7")).stdout).toContain("It is paid.");
    expect((await say("organizations")).stdout).toMatch(/org_2 .*owes 0\.00/);
  });

  it.each([
    [["received", "pay_9"], "no announced transfer pay_9"],
    [["credit", "org_9", "1", "gift"], "no organization org_9"],
    [["credit", "org_1", "0", "gift"], "dollars above 0"],
    [["plan", "org_1", "free"], "prepaid or postpaid"],
    [["price", "sunshine", "1"], "call_seconds"],
    [["price", "call_seconds", "1e3"], "six decimals"],
    [["price", "call_seconds", "1", "--per", "0"], "per must be"],
    [["price", "call_seconds", "1", "--from", "2020-01-01T00:00:00Z"], "in the past"],
    [["price", "call_seconds", "1", "--from", "tomorrow"], "in the past"],
    [["steal"], "Usage:"],
  ])("says what is wrong with %j", async (args, message) => {
    await expect(say(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
