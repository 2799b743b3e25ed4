import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults, tabTo } from "../testkit/app-browser.ts";
import type { BrainTurn } from "../testkit/brain.ts";
import { overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestPerson } from "../testkit/person.ts";
import { TestTelephony } from "../testkit/telephony.ts";

const WAIT = { timeout: 90_000 };
const GREETING = "Hello. How may I help?";
const QUESTION = "When are you open?";
const LONG =
  "We sell lamps. We sell tables and chairs. We sell shelves, beds, carpets, curtains, mirrors, clocks and vases. " +
  "We sell pots and pans, plates, cups, knives, forks and spoons of steel and of silver, as you like.";
const ANSWER = "We are open from nine to five.";

describe.runIf(needs("chromium"))("talking to an agent beside its page", () => {
  let dashboard: TestDashboard;
  let telephony: TestTelephony;
  let developer: TestPerson;
  /** What answers each question; the test's own. */
  let answer: (turn: BrainTurn) => void;

  beforeAll(async () => {
    const over = await TestDashboard.over((pagesDir) =>
      TestTelephony.start({
        pagesDir,
        brain: (turn) => answer(turn),
        settings: { firstResponse: GREETING },
      }),
    );
    dashboard = over.dashboard;
    telephony = over.product;
    developer = await memberOnly(dashboard.api, telephony.organization.orgId, "developer");
  });
  afterAll(() => dashboard.close());

  const says = (text: string) => (turn: BrainTurn) => {
    turn.token(text);
    turn.done();
  };
  const openAgent = (id = telephony.organization.agentId, width = 1280): Promise<Page> =>
    dashboard.openAs(developer.email, `/agents/${id}/brain`, { width });
  const panelOf = (page: Page) => page.getByRole("dialog");
  const talk = (page: Page) => page.getByRole("button", { name: "Talk", exact: true });
  const nameOfFocus = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());
  const lastCall = async (): Promise<string> => {
    const { db } = telephony.api.database;
    const last = db.selectFrom("calls").select("id").orderBy("created_at", "desc").limit(1);
    return (await last.executeTakeFirstOrThrow()).id;
  };

  /** Starts a call that is typed, in an open panel, and waits for the agent's greeting. */
  async function callTyping(page: Page): Promise<void> {
    await panelOf(page).getByRole("button", { name: "Type instead" }).click();
    await panelOf(page).getByRole("log").getByRole("listitem").filter({ hasText: GREETING }).waitFor(WAIT);
  }

  async function type(page: Page, text: string): Promise<void> {
    await panelOf(page).getByLabel("Type what you want to say").fill(text);
    await page.keyboard.press("Enter");
  }

  test.each([1280, 390])(
    "a call is made, read and left by keyboard alone, in no other tab, %i pixels wide",
    async (width) => {
      answer = says(ANSWER);
      const page = await openAgent(undefined, width);
      const sockets: string[] = [];
      page.on("websocket", (socket) => void sockets.push(new URL(socket.url()).search));
      await tabTo(page, "Talk");
      await page.keyboard.press("Enter");
      await panelOf(page).getByRole("button", { name: "Start talking" }).waitFor();
      await expect.poll(() => nameOfFocus(page)).toBe("Start talking");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      const log = panelOf(page).getByRole("log");
      await log.getByText(GREETING).waitFor(WAIT);
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
      await page.keyboard.type(QUESTION);
      await page.keyboard.press("Enter");
      await log.getByRole("listitem").filter({ hasText: ANSWER }).waitFor(WAIT);
      expect(await overflowOf(page)).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(sockets, "what the socket's address holds").toEqual([expect.stringContaining("ticket=")]);
      expect(page.url() + (await page.locator("html").innerHTML())).not.toMatch(/wss?:\/\/|ticket=/);
      await page.keyboard.press("Escape");
      await panelOf(page).getByText("You hung up.").waitFor(WAIT);
      await log.getByText(ANSWER).waitFor();
      await panelOf(page).getByRole("link", { name: "Open call" }).waitFor();
      await page.keyboard.press("Escape");
      await panelOf(page).waitFor({ state: "detached" });
      expect(await nameOfFocus(page)).toBe("Talk");
      expect(page.context().pages()).toHaveLength(1);
      await telephony.untilStatus(await lastCall(), "completed");
    },
  );

  test("closing the panel ends the call", async () => {
    const page = await openAgent();
    await talk(page).click();
    await callTyping(page);
    const call = await lastCall();
    await telephony.untilStatus(call, "in-progress");
    await panelOf(page).getByRole("button", { name: "Close" }).click();
    await telephony.untilStatus(call, "completed");
    expect(await nameOfFocus(page)).toBe("Talk");
  });

  test("the call's variables are asked for first, and a refused call says why", async () => {
    const id = await telephony.agent({
      firstResponse: "Hello {{customer}}, this is Berta.",
      variables: [{ name: "customer", required: true }],
    });
    const page = await openAgent(id);
    await talk(page).click();
    await panelOf(page).getByLabel("customer").fill("Grace");
    await page.keyboard.press("Enter");
    await panelOf(page).getByRole("button", { name: "Type instead" }).click();
    await panelOf(page).getByRole("log").getByText("Hello Grace, this is Berta.").waitFor(WAIT);
    await page.keyboard.press("Escape");
    await panelOf(page).getByRole("button", { name: "Call again" }).waitFor(WAIT);
    await telephony.request("DELETE", `/api/agents/${id}`);
    await panelOf(page).getByRole("button", { name: "Type instead" }).click();
    await panelOf(page).getByText("The server refused the call.").waitFor(WAIT);
  });

  test("an answer that was talked over is marked so in the conversation, and in the call's record", async () => {
    answer = says(LONG);
    const page = await openAgent();
    await talk(page).click();
    await callTyping(page);
    const log = panelOf(page).getByRole("log");
    await type(page, "What do you sell?");
    await log.getByText("and chairs").waitFor(WAIT);
    answer = says(ANSWER);
    await type(page, QUESTION);
    await log.getByRole("listitem").filter({ hasText: ANSWER }).waitFor(WAIT);
    await page.keyboard.press("Escape");
    await panelOf(page).getByRole("link", { name: "Open call" }).waitFor(WAIT);
    const { transcript } = await telephony.untilStatus(await lastCall(), "completed");
    const kept = transcript.filter(({ role }) => role === "assistant");
    expect(kept.map(({ interrupted }) => interrupted)).toEqual([false, true, false]);
    const lines = await log.getByRole("listitem").filter({ hasText: "Anna: " }).allInnerTexts();
    expect(lines.map((line) => line.endsWith("— interrupted"))).toEqual([false, true, false]);
  });
});
