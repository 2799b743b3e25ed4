import { insertUsage } from "@parley/control-api/billing/metering/usage-store.ts";
import { giveCredit } from "@parley/control-api/billing/wallet/credit.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { addInvoice } from "../testkit/invoices.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { createOrganization } from "../testkit/organization.ts";
import type { TestPerson } from "../testkit/person.ts";
import { picture } from "../testkit/softphone-pages.ts";

const WAIT = { timeout: 90_000 };

describe.runIf(needs("chromium"))("the page Billing, in a browser", () => {
  let dashboard: TestDashboard;
  let owner: TestPerson;
  let viewer: TestPerson;
  beforeAll(async () => {
    dashboard = await TestDashboard.start({ env: { BILLING: "on" } });
    const { database } = dashboard.api;
    const { orgId, agentId } = await createOrganization(database);
    const at = new Date();
    await giveCredit(database, { orgId, amount: 25_000_000n, source: "welcome", at });
    const about = {
      orgId,
      agentId,
      keyId: "",
      sessionId: null,
      channel: "telephony",
      vendor: "telnyx",
      priceId: null,
    };
    await insertUsage(database.db, [
      { ...about, source: "1", metric: "call_seconds", quantity: 1_260n, amount: 210_000n, at },
    ]);
    await database.db
      .insertInto("campaigns")
      .values({
        ...{ id: `cmp_${orgId}`, org_id: orgId, kind: "whatsapp", name: "Spring", status: "draft" },
        settings: JSON.stringify({ channelId: "chn_1", template: { name: "reminder", language: "en" } }),
        ...{ created_by: "usr_1", created_at: at, updated_at: at },
      })
      .execute();
    owner = await memberOnly(dashboard.api, orgId, "owner");
    viewer = await memberOnly(dashboard.api, orgId, "viewer");
  });
  afterAll(() => dashboard.close());

  test("shows the balance and what was spent, by agent and day, without a fault in accessibility", async () => {
    const page = await dashboard.openAs(owner.email, "/billing");
    await heading(page, "Billing");
    const spending = page.getByRole("list", { name: "Spending" });
    await spending.getByText("$25.00").waitFor(WAIT);
    const forecast = spending.getByRole("listitem").filter({ hasText: "Forecast" });
    await forecast.getByText(/^\$0\.\d\d$/).waitFor(WAIT);
    const byAgent = page.getByRole("region", { name: "This month by agent" });
    await byAgent.getByRole("row", { name: /Anna Call seconds 1,260 \$0\.21/ }).waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
    for (const [width, scheme] of [
      [1440, "light"],
      [1440, "dark"],
      [390, "light"],
      [390, "dark"],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await overflowOf(page), `at ${width} px`).toBe(0);
      await picture(page, `billing-${width}-${scheme}`);
    }
  });

  test("groups spending, sets and deletes a limit, and begins a bank transfer", async () => {
    const page = await dashboard.openAs(owner.email, "/billing");
    await heading(page, "Billing");
    await page.getByLabel("Group by").selectOption("vendor");
    const byProvider = page.getByRole("region", { name: "This month by provider" });
    await byProvider.getByRole("row", { name: /Telnyx Call seconds/ }).waitFor(WAIT);
    await page.getByLabel("Group by").selectOption("channel");
    const byChannel = page.getByRole("region", { name: "This month by channel" });
    await byChannel.getByRole("row", { name: /Phone Call seconds 1,260 \$0\.21/ }).waitFor(WAIT);
    const limits = page.getByRole("region", { name: "Spending limits" });
    await limits.getByLabel("Limit (US dollars)").fill("twelve");
    await limits.getByRole("button", { name: "Set limit" }).click();
    await limits.getByText("Limit must be dollars as text, such as 25 or 12.50.").waitFor(WAIT);
    expect(await limits.getByLabel("Limit (US dollars)").inputValue()).toBe("twelve");
    await limits.getByLabel("Limit (US dollars)").fill("12.50");
    await limits.getByRole("button", { name: "Set limit" }).click();
    await limits
      .getByRole("row", { name: /Organization Day New calls and messages are refused \$12\.50/ })
      .waitFor(WAIT);
    await limits.getByRole("button", { name: "Delete the limit of $12.50" }).click();
    await limits.getByLabel("Applies to").selectOption("Agent Anna");
    await limits.getByLabel("Limit (US dollars)").fill("3");
    await limits.getByRole("button", { name: "Set limit" }).click();
    await limits
      .getByRole("row", { name: /Agent Anna Day New calls and messages are refused \$3\.00/ })
      .waitFor(WAIT);
    await limits.getByRole("button", { name: "Delete the limit of $3.00" }).click();
    await limits.getByLabel("Applies to").selectOption("WhatsApp campaign Spring");
    await limits.getByLabel("Limit (US dollars)").fill("4");
    await limits.getByRole("button", { name: "Set limit" }).click();
    await limits
      .getByRole("row", { name: /WhatsApp campaign Spring Day New calls and messages are refused \$4\.00/ })
      .waitFor(WAIT);
    await limits.getByRole("button", { name: "Delete the limit of $4.00" }).click();
    await expect.poll(() => limits.getByRole("row").count(), WAIT).toBe(0);
    const add = page.getByRole("region", { name: "Add to balance" });
    await add.getByLabel("Amount").fill("3");
    await add.getByRole("button", { name: "Add to balance" }).click();
    await add.getByText("Amount must be from 5 to 10000 dollars.").waitFor(WAIT);
    await add.getByLabel("Amount").fill("25");
    await add.getByRole("button", { name: "Add to balance" }).click();
    await add.getByText(/Reference: pay_/).waitFor(WAIT);
  });

  test("leads to an invoice with its lines, which is downloaded as a PDF", async () => {
    const { database } = dashboard.api;
    const { orgId } = await createOrganization(database);
    await addInvoice(database, { orgId, amount: 12_500_000n, clock: systemClock });
    const person = await memberOnly(dashboard.api, orgId, "admin");
    const page = await dashboard.openAs(person.email, "/billing");
    const invoices = page.getByRole("region", { name: "Invoices" });
    await invoices
      .getByRole("row", { name: /\$12\.50/ })
      .getByRole("link")
      .click();
    const usage = page.getByRole("region", { name: "Usage" });
    await usage.getByRole("row", { name: "Call seconds Telnyx 60 $12.50" }).waitFor(WAIT);
    await usage.getByRole("row", { name: "Total $12.50", exact: true }).waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download PDF" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  });

  test("lists numbers with when they renew, what they cost, and which could not be renewed", async () => {
    const { database } = dashboard.api;
    const { orgId, userId } = await createOrganization(database);
    const at = new Date("2026-01-01T00:00:00Z");
    const rent = { org_id: orgId, metric: "number_months", vendor: "telnyx", micros: 2_000_000n, per: 1n };
    await database.db
      .insertInto("prices")
      .values({ id: "prc_rent", ...rent, from_at: at, created_at: at })
      .execute();
    const [now, lastMonth] = [new Date(), new Date(Date.now() - 32 * 86_400_000)];
    const numbers = [
      { id: "num_paid", number: "+12025550181", state: "active", at: now, overdueAt: null },
      { id: "num_late", number: "+12025550182", state: "overdue", at: lastMonth, overdueAt: now },
    ] as const;
    for (const { id, number, state, at: addedAt, overdueAt } of numbers) {
      const about = { org_id: orgId, carrier: "telnyx" } as const;
      await database.db
        .insertInto("phone_numbers")
        .values({ id, number, ...about, label: "", agent_id: null, user_id: userId, created_at: addedAt })
        .execute();
      await database.db
        .insertInto("billing_numbers")
        .values({ number_id: id, e164: number, ...about, state, added_at: addedAt, overdue_at: overdueAt })
        .onConflict((conflict) => conflict.column("number_id").doUpdateSet({ state, overdue_at: overdueAt }))
        .execute();
    }
    const person = await memberOnly(dashboard.api, orgId, "owner");
    const page = await dashboard.openAs(person.email, "/billing");
    const renewals = page.getByRole("region", { name: "Number renewals" });
    await renewals.getByRole("row", { name: /\+1 202 555 0181 Active \w+ \d+, \d{4} \$2\.00/ }).waitFor(WAIT);
    await renewals.getByRole("row", { name: /\+1 202 555 0182 Renewal failed .* \$2\.00/ }).waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("is in the sidebar of who manages billing, and of nobody else", async () => {
    const page = await dashboard.openAs(viewer.email, "/");
    await heading(page, "Home");
    expect(await page.getByRole("link", { name: "Billing" }).count()).toBe(0);
  });
});
