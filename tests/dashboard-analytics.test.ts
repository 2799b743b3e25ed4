import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { keepCall } from "../testkit/kept-call.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { createOrganization } from "../testkit/organization.ts";
import { picture } from "../testkit/softphone-pages.ts";

describe.runIf(needs("chromium"))("the page for analytics in a browser", () => {
  let dashboard: TestDashboard;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    await dashboard.api.registerNode({ maxCalls: 100 });
  });
  afterAll(() => dashboard.close());

  test("shows the calls of a period, narrows them down, and each figure leads to its calls", async () => {
    const organization = await createOrganization(dashboard.api.database);
    await keepCall(dashboard.api, organization);
    const viewer = await memberOnly(dashboard.api, organization.orgId, "viewer");
    const page = await dashboard.openAs(viewer.email, "/analytics", { width: 390, dark: true });
    await heading(page, "Analytics");
    await page.getByRole("region", { name: "Channels" }).getByRole("link", { name: "Web" }).waitFor();
    await page.getByRole("img", { name: "1 calls, 0 of them failed; most in one day: 1." }).waitFor();
    await page.getByRole("region", { name: "How they ended" }).getByText("A participant hung up").waitFor();
    await picture(page, "analytics-narrow");
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    expect((await download).suggestedFilename()).toMatch(/^calls-.*\.csv$/);
    await page.getByLabel("Channel", { exact: true }).selectOption("telephony");
    await page.getByRole("region", { name: "Channels" }).waitFor({ state: "detached" });
    await page.getByLabel("Channel", { exact: true }).selectOption("");
    await page.getByRole("region", { name: "How they ended" }).getByRole("link", { name: "1" }).click();
    await heading(page, "Calls");
    await page.getByRole("table").getByText("Completed").waitFor();
    const asked = page.getByLabel("End reason: A participant hung up");
    expect(await asked.isChecked()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await asked.click();
    await asked.waitFor({ state: "detached" });
    await page.goto(dashboard.address("/analytics"));
    await page.getByRole("region", { name: "Agents" }).getByRole("link", { name: "Anna" }).click();
    await heading(page, "Calls");
    expect(new URL(page.url()).searchParams.get("agentId")).toBe(organization.agentId);
    await page.getByRole("table").getByText("Completed").waitFor();
  });
});
