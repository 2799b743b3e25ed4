import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { createOrganization } from "../testkit/organization.ts";
import { TestPerson } from "../testkit/person.ts";
import { picture } from "../testkit/softphone-pages.ts";

const WAIT = { timeout: 90_000 };
const EMAIL = "operator@example.com";

describe.runIf(needs("chromium"))("the page Operator, in a browser", () => {
  let dashboard: TestDashboard;
  let ownerEmail: string;
  beforeAll(async () => {
    dashboard = await TestDashboard.start({ env: { BILLING: "on", OPERATORS: EMAIL } });
    await TestPerson.registerVerified(dashboard.api, { email: EMAIL });
    const { orgId } = await createOrganization(dashboard.api.database);
    const owner = await memberOnly(dashboard.api, orgId, "owner");
    ownerEmail = owner.email;
    const begun = await owner.call("POST", `/api/orgs/${orgId}/billing/top-ups`, { amount: "40.00" }, orgId);
    expect(begun.status).toBe(201);
  });
  afterAll(() => dashboard.close());

  test("gives a credit, changes a plan, records a transfer and adds a price", async () => {
    const page = await dashboard.openAs(EMAIL, "/");
    await page.getByRole("button", { name: /^Account:/ }).click();
    await page.getByRole("menuitem", { name: "Operator" }).click();
    await heading(page, "Operator");
    const organizations = page.getByRole("region", { name: "Organizations" });
    await organizations.getByLabel("Name or ID").fill("acme");
    await page.keyboard.press("Enter");
    await organizations.getByRole("button", { name: "Credit Acme" }).click();
    const credit = page.getByRole("dialog", { name: "Credit Acme" });
    await credit.getByLabel("Amount (US dollars)").fill("12.50");
    await credit.getByLabel("Reason").fill("welcome");
    await credit.getByRole("button", { name: "Give credit" }).click();
    await organizations.getByRole("row", { name: /Acme .*Prepaid Active \$12\.50 \$0\.00/ }).waitFor(WAIT);
    const transfers = page.getByRole("region", { name: "Announced bank transfers" });
    await transfers.getByRole("row", { name: /pay_.* Acme .*\$40\.00/ }).waitFor(WAIT);
    await transfers.getByRole("button", { name: /^Mark received pay_/ }).click();
    await transfers.waitFor({ state: "detached", ...WAIT });
    await organizations.getByRole("button", { name: "Plan of Acme" }).click();
    const plan = page.getByRole("dialog", { name: "Plan of Acme" });
    await plan.getByLabel("Plan").selectOption("postpaid");
    await plan.getByRole("button", { name: "Change plan" }).click();
    await organizations.getByRole("row", { name: /Acme .*Postpaid Active \$52\.50 \$0\.00/ }).waitFor(WAIT);
    const prices = page.getByRole("region", { name: "Prices" });
    await prices.getByLabel("Price (US dollars)").fill("ten");
    await prices.getByRole("button", { name: "Add price" }).click();
    await prices
      .getByRole("alert")
      .getByText(/dollars with at most six decimals/)
      .waitFor(WAIT);
    await prices.getByLabel("Price (US dollars)").fill("0.012");
    await prices.getByLabel("For how many").fill("60");
    await prices.getByRole("button", { name: "Add price" }).click();
    await prices.getByRole("row", { name: /Call seconds \$0\.012 for 60 All All/ }).waitFor(WAIT);
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
      await picture(page, `operator-${width}-${scheme}`);
    }
  });

  test("tells an organization's owner that it is not for them, and leads nobody else there", async () => {
    const page = await dashboard.openAs(ownerEmail, "/operator");
    await heading(page, "Operator");
    await page
      .getByText("Only operators of this server can do this. Its setting OPERATORS lists them.")
      .waitFor(WAIT);
    await page.getByRole("button", { name: /^Account:/ }).click();
    await page.getByRole("menuitem", { name: "Security" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Operator" }).count()).toBe(0);
  });
});
