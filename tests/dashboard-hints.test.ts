import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { TestDashboard } from "../testkit/dashboard.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";
import { picture } from "../testkit/softphone-pages.ts";

const AGENTS = Array.from({ length: 14 }, (_, at) => `Desk ${String(at + 1).padStart(2, "0")}`);
const LONG_NAME =
  "The agent of the museum that answers whoever asks for tickets, tours, lost umbrellas and audio guides";

describe.runIf(needs("chromium"))("hints over the dashboard's pages", () => {
  let dashboard: TestDashboard;
  let owner: TestPerson;

  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    owner = await TestPerson.register(dashboard.api);
    for (const name of [...AGENTS, LONG_NAME])
      await owner.call("POST", "/api/agents", { name, brain: { url: "https://brain.example" } });
  });
  afterAll(() => dashboard.close());

  const isFocused = (element: Locator): Promise<boolean> =>
    element.evaluate((shown) => shown === document.activeElement);
  const tip = (page: Page) => page.getByRole("tooltip");
  const shown = (page: Page) => page.getByRole("listbox").getByRole("option").allTextContents();
  const openCalls = async (): Promise<{ page: Page; agent: Locator; search: Locator }> => {
    const page = await dashboard.openAs(owner.email, "/calls");
    const agent = page.getByLabel("Agent", { exact: true });
    await expect.poll(() => agent.locator("option").count()).toBeGreaterThan(AGENTS.length);
    return { page, agent, search: page.getByRole("combobox", { name: "Search: Agent" }) };
  };

  describe("a tip", () => {
    const openAudit = (width: number) => dashboard.openAs(owner.email, "/audit", { width });
    const who = (page: Page) => page.getByRole("cell", { name: owner.email }).first();

    test("says more of what the pointer rests on, until Escape", async () => {
      const page = await openAudit(1280);
      await page.locator("time").first().hover();
      await tip(page).waitFor();
      expect(await tip(page).textContent()).toMatch(new RegExp(String(new Date().getFullYear())));
      expect(await accessibilityFaults(page)).toEqual([]);
      await picture(page, "tip");
      await page.keyboard.press("Escape");
      await tip(page).waitFor({ state: "detached" });
    });

    test("tells the whole of a name that has no room", async () => {
      const page = await openAudit(1024);
      await who(page).hover();
      await tip(page).waitFor();
      expect(await tip(page).textContent()).toBe(owner.email);
    });

    test("is shown to the keyboard at once", async () => {
      const page = await dashboard.openAs(owner.email, "/campaigns");
      await page.getByRole("button", { name: "Create campaign" }).first().press("Enter");
      const dialog = page.getByRole("dialog", { name: "Create campaign" });
      await dialog.getByLabel("Name", { exact: true }).waitFor();
      await page.keyboard.press("Shift+Tab");
      await tip(page).waitFor();
      expect(await tip(page).textContent()).toBe("Close");
      await page.keyboard.press("Tab");
      await tip(page).waitFor({ state: "detached" });
    });
  });

  describe("a long choice", () => {
    test("is searched by typing, and chosen by Enter as if in the field itself", async () => {
      const { page, agent, search } = await openCalls();
      await agent.focus();
      await page.keyboard.press("Space");
      await search.waitFor();
      await picture(page, "long-choice");
      expect(await isFocused(search)).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.type("desk 07");
      await expect.poll(() => shown(page)).toEqual(["Desk 07"]);
      await page.keyboard.press("Enter");
      await search.waitFor({ state: "detached" });
      expect(await isFocused(agent)).toBe(true);
      expect(await agent.locator("option:checked").textContent()).toBe("Desk 07");
      await page.waitForURL(/agentId=agt_/);
    });

    test("begins with the letter that was typed on the field", async () => {
      const { page, agent, search } = await openCalls();
      await agent.focus();
      await page.keyboard.press("t");
      await search.waitFor();
      await page.keyboard.type("he agent");
      await expect.poll(() => shown(page)).toEqual([LONG_NAME]);
    });

    test("is chosen by typing and Tab, which goes on to the next field", async () => {
      const { page, agent, search } = await openCalls();
      await agent.focus();
      await page.keyboard.type("desk 05");
      await expect.poll(() => shown(page)).toEqual(["Desk 05"]);
      await page.keyboard.press("Tab");
      await search.waitFor({ state: "detached" });
      expect(await agent.locator("option:checked").textContent()).toBe("Desk 05");
      expect(await isFocused(page.getByLabel("Channel", { exact: true }))).toBe(true);
    });

    test("of two thousand shows some, and finds the others by typing", async () => {
      const { page, agent, search } = await openCalls();
      await agent.evaluate((field) => {
        for (let at = 0; at < 2_000; at++) field.append(new Option(`Branch ${at}`, `agt_${at}`));
      });
      await agent.click();
      await search.waitFor();
      await page.getByText("Shows at most 200.").waitFor();
      expect(await shown(page)).toHaveLength(200);
      await page.keyboard.type("branch 1999");
      await expect.poll(() => shown(page)).toEqual(["Branch 1999"]);
    });

    test("says that nothing matches, and Escape leaves the field as it was", async () => {
      const { page, agent, search } = await openCalls();
      await agent.click();
      await search.waitFor();
      await page.keyboard.type("zeppelin");
      await page.getByText("Nothing matches.").waitFor();
      await page.keyboard.press("Escape");
      await search.waitFor({ state: "detached" });
      expect(await isFocused(agent)).toBe(true);
      expect(await agent.inputValue()).toBe("");
    });

    test("is left by a press elsewhere, which keeps the focus", async () => {
      const { page, agent, search } = await openCalls();
      await agent.click();
      await search.waitFor();
      const number = page.getByRole("searchbox").first();
      await number.click();
      await search.waitFor({ state: "detached" });
      expect(await isFocused(number)).toBe(true);
    });

    test("in a dialog is part of it: Escape and a choice leave the dialog open", async () => {
      const page = await dashboard.openAs(owner.email, "/campaigns");
      await page.getByRole("button", { name: "Create campaign" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Create campaign" });
      const agent = dialog.getByLabel("Agent", { exact: true });
      await expect.poll(() => agent.locator("option").count()).toBeGreaterThan(AGENTS.length);
      await agent.click();
      const search = page.getByRole("combobox", { name: "Search: Agent" });
      await search.waitFor();
      await picture(page, "long-choice-in-dialog");
      await page.keyboard.press("Escape");
      await search.waitFor({ state: "detached" });
      await agent.press("ArrowDown");
      await search.waitFor();
      await page.keyboard.type("desk 03");
      await page.getByRole("listbox").getByRole("option", { name: "Desk 03" }).click();
      await search.waitFor({ state: "detached" });
      expect(await agent.locator("option:checked").textContent()).toBe("Desk 03");
      expect(await dialog.count()).toBe(1);
    });
  });
});
