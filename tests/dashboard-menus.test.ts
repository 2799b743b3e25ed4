import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, TestDashboard } from "../testkit/dashboard.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";

const PHONE_PX = 390;

describe.runIf(needs("chromium"))("menus of the dashboard", () => {
  let dashboard: TestDashboard;
  let email: string;

  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    ({ email } = await TestPerson.register(dashboard.api));
  });
  afterAll(() => dashboard.close());

  const account = (page: Page) => page.getByRole("button", { name: /^Account/ });
  const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });
  const isFocused = (element: Locator): Promise<boolean> =>
    element.evaluate((shown) => shown === document.activeElement);

  test("are gone through by arrows and letters, and closed by Escape, which returns to the button", async () => {
    const page = await dashboard.openAs(email, "/agents");
    await account(page).press("Enter");
    await page.getByRole("menu", { name: /^Account/ }).waitFor();
    expect(await isFocused(page.getByRole("menuitemradio", { name: "Auto" }))).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => isFocused(item(page, "Sign out"))).toBe(true);
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => isFocused(item(page, "Talk page"))).toBe(true);
    await page.keyboard.press("s");
    await expect.poll(() => isFocused(item(page, "Sign out"))).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    expect(await isFocused(account(page))).toBe(true);
    await page.keyboard.press("ArrowDown");
    await item(page, "Security").press("Enter");
    await heading(page, "Security");
    expect(await page.getByRole("menu").count()).toBe(0);
  });

  test("are closed by Tab, which goes on from the button", async () => {
    const page = await dashboard.openAs(email, "/agents");
    const organization = page.getByRole("button", { name: /^Organization/ });
    await organization.press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("menu").waitFor({ state: "detached" });
    expect(await isFocused(page.getByRole("button", { name: /^Go to/ }).first())).toBe(true);
  });

  test("are closed by their button and by a press elsewhere, which keeps the focus", async () => {
    const page = await dashboard.openAs(email, "/agents");
    await account(page).click();
    await page.getByRole("menu").waitFor();
    await account(page).click();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await account(page).click();
    await page.getByRole("menu").waitFor();
    const search = page.getByRole("searchbox").first();
    await search.click();
    await page.getByRole("menu").waitFor({ state: "detached" });
    expect(await isFocused(search)).toBe(true);
  });

  test("let what they open have the focus", async () => {
    const page = await dashboard.openAs(email, "/agents");
    await page.getByRole("button", { name: /^Organization/ }).press("Enter");
    await item(page, "Create organization").press("Enter");
    const name = page.getByRole("dialog", { name: "Create organization" }).getByLabel("Name");
    await name.waitFor();
    await expect.poll(() => isFocused(name)).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await isFocused(page.getByRole("button", { name: /^Organization/ }))).toBe(true);
  });

  test("close before the drawer that they stand in, on a phone", async () => {
    const page = await dashboard.openAs(email, "/agents", { width: PHONE_PX });
    const opens = page.getByRole("button", { name: "Menu", exact: true });
    await opens.press("Enter");
    const drawer = page.getByRole("dialog", { name: "Menu" });
    await drawer.waitFor();
    await account(page).press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    expect(await isFocused(account(page))).toBe(true);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(await isFocused(opens)).toBe(true);
    await opens.click();
    await drawer.waitFor();
    await page.mouse.click(PHONE_PX - 10, 400);
    await drawer.waitFor({ state: "detached" });
  });
});
