import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";

describe.runIf(needs("chromium"))("the page for memory in a browser", () => {
  let dashboard: TestDashboard;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
  });
  afterAll(() => dashboard.close());

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const dialog = (page: Page) => page.getByRole("dialog");

  test("a developer adds a note, corrects it, and forgets the person, on a phone in the dark as well", async () => {
    const { orgId } = await dashboard.api.createOrganization();
    const developer = await memberOnly(dashboard.api, orgId, "developer");
    const page = await dashboard.openAs(developer.email, "/memory", { width: 390, dark: true });
    await heading(page, "Memory");
    await page.getByText("Nothing is remembered yet.").waitFor();
    await press(page, "Add note");
    await dialog(page).getByLabel("Person", { exact: true }).fill("+15551234567");
    await dialog(page).getByLabel("Note", { exact: true }).fill("Prefers mornings.");
    await dialog(page).getByRole("button", { name: "Add note" }).click();
    await page.getByText("Prefers mornings.").first().waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, "Correct Prefers mornings.");
    await dialog(page).getByLabel("What is remembered").fill("Prefers evenings.");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByText("Later calls won’t change it.").waitFor();
    await page.getByRole("link", { name: "+1 555 123 4567" }).click();
    await press(page, "Forget +1 555 123 4567");
    await dialog(page).getByRole("button", { name: "Forget" }).click();
    await page.getByText("+1 555 123 4567 forgotten.").waitFor();
    await page.getByText("Nothing matches these filters.").waitFor();
  });

  test("a viewer reads and changes nothing", async () => {
    const { orgId } = await dashboard.api.createOrganization();
    const viewer = await memberOnly(dashboard.api, orgId, "viewer");
    const page = await dashboard.openAs(viewer.email, "/memory");
    await page.getByText("Nothing is remembered yet.").waitFor();
    expect(await page.getByRole("button", { name: "Add note" }).count()).toBe(0);
  });
});
