import { existsSync, readFileSync } from "node:fs";
import type { Download, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, signIn, TestDashboard } from "../testkit/dashboard.ts";
import { isFine } from "../testkit/fine-page.ts";
import { type KeptCall, keepCall } from "../testkit/kept-call.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import type { TestPerson } from "../testkit/person.ts";
import { TestReceiver } from "../testkit/receiver.ts";
import { ANSWER, keepSpokenCall, QUESTION } from "../testkit/spoken-call.ts";

const WAIT = { timeout: 90_000 };

describe.runIf(needs("chromium"))("the pages for calls in a browser", () => {
  let dashboard: TestDashboard;
  let receiver: TestReceiver;
  let organization: TestOrganization;
  let viewer: TestPerson;
  let spoken: KeptCall;

  beforeAll(async () => {
    dashboard = await TestDashboard.start({ allowPrivateTargets: ["127.0.0.0/8"] });
    receiver = await TestReceiver.answering(200);
    await dashboard.api.registerNode();
    organization = await dashboard.api.createOrganization();
    viewer = await memberOnly(dashboard.api, organization.orgId, "viewer");
    await dashboard.api.call("POST", `/api/orgs/${organization.orgId}/webhooks`, {
      key: organization.keys.owner,
      body: { url: receiver.url, events: ["call.ended"] },
    });
    spoken = await keepSpokenCall(dashboard.api, organization);
    await keepCall(dashboard.api, organization, { said: ["Something else"] });
    await vi.waitUntil(() => receiver.received.length === 2, WAIT);
  });
  afterAll(async () => {
    await dashboard.close();
    await receiver.close();
  });

  const rows = (page: Page) => page.getByRole("region", { name: "List of calls" }).getByRole("rowheader");

  test("calls are found by what they are and by what was said in them", async () => {
    const page = await dashboard.openAs(viewer.email, "/calls");
    await heading(page, "Calls");
    await expect.poll(() => rows(page).count(), WAIT).toBe(2);
    await page.getByLabel("Transcript contains").fill("BLUE lamp");
    await page.keyboard.press("Enter");
    await page.getByLabel("Status").selectOption("Completed");
    await page.getByLabel("Agent").selectOption("Anna");
    await expect.poll(() => rows(page).count(), WAIT).toBe(1);
    expect(new URL(page.url()).searchParams.get("text")).toBe("BLUE lamp");
    await page.reload();
    await expect.poll(() => rows(page).count(), WAIT).toBe(1);
    expect(await page.getByLabel("Transcript contains").inputValue()).toBe("BLUE lamp");
    await page.getByLabel("Direction").selectOption("Outbound");
    await page.getByText("No calls match these filters").waitFor();
    expect(await accessibilityFaults(page), "nothing found").toEqual([]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => rows(page).count(), WAIT).toBe(2);
    await page.getByLabel("From", { exact: true }).fill("2001-01-01");
    await page.getByLabel("To", { exact: true }).fill("2001-01-02");
    await page.getByText("No calls match these filters").waitFor();
  });

  test("a view is saved by a name, chosen again and deleted", async () => {
    const page = await dashboard.openAs(viewer.email, "/calls?status=completed&text=lamp");
    await expect.poll(() => rows(page).count(), WAIT).toBe(1);
    const view = (name: string) => page.getByRole("group", { name: "Views" }).getByRole("button", { name });
    await view("Save view").click();
    await page.keyboard.type("Lamps");
    await page.keyboard.press("Enter");
    await expect.poll(() => view("Lamps").getAttribute("aria-pressed")).toBe("true");
    await view("Failed").click();
    await page.getByText("No calls match these filters").waitFor();
    await page.reload();
    await view("Lamps").click();
    await expect.poll(() => rows(page).count(), WAIT).toBe(1);
    expect(new URL(page.url()).search).toBe("?status=completed&text=lamp");
    await view("Delete view").click();
    await expect.poll(() => view("Lamps").count()).toBe(0);
  });

  test("rows are gone through and selected by keys, saved as a file, and shown without a column", async () => {
    const page = await dashboard.openAs(viewer.email, "/calls");
    await expect.poll(() => rows(page).count(), WAIT).toBe(2);
    await rows(page).first().getByRole("link").focus();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    const selected = page.getByRole("row", { selected: true });
    expect(await selected.getByRole("rowheader").textContent()).toBe(await rows(page).nth(1).textContent());
    expect(await accessibilityFaults(page), "a row selected").toEqual([]);
    const one = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    expect(await linesOf(await one)).toHaveLength(2);
    await page.getByRole("button", { name: "Clear selection" }).click();
    const all = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const [head, ...lines] = await linesOf(await all);
    expect(head).toBe('"Started","Contact","Agent","Status","Channel","Direction","Duration"');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('"Anna","Completed"');

    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Channel" }).click();
    await page.keyboard.press("Escape");
    await page.reload();
    await expect.poll(() => rows(page).count(), WAIT).toBe(2);
    expect(await page.getByRole("columnheader", { name: "Channel" }).count()).toBe(0);
    await rows(page).first().getByRole("link").press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/calls\/./);
  });

  test("a long history is turned page by page, and back to the newest", async () => {
    const busy = await dashboard.api.createOrganization();
    const reader = await memberOnly(dashboard.api, busy.orgId, "viewer");
    const CALLS = 51;
    for (let made = 0; made < CALLS; made++) {
      const body = { agentId: busy.agentId };
      await dashboard.api.call("POST", "/api/sessions/init-web-call", { key: busy.keys.owner, body });
    }
    const page = await dashboard.openAs(reader.email, "/calls");
    await expect.poll(() => rows(page).count(), WAIT).toBe(50);
    await page.getByRole("button", { name: "Older" }).click();
    await expect.poll(() => rows(page).count(), WAIT).toBe(1);
    await page.getByRole("button", { name: "Newest" }).click();
    await expect.poll(() => rows(page).count(), WAIT).toBe(50);
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    expect(await linesOf(await file), "all pages, and the heading").toHaveLength(CALLS + 1);
  });

  test("a call that begins and ends is seen in the list without a hand", async () => {
    const acme = await dashboard.api.createOrganization();
    const reader = await memberOnly(dashboard.api, acme.orgId, "viewer");
    const page = await dashboard.openAs(reader.email, "/calls");
    const listening = page.waitForResponse((response) => response.url().endsWith("/changes"));
    await page.reload();
    await page.getByText("No calls yet").waitFor();
    await listening;
    await keepCall(dashboard.api, acme);
    // Sooner than the page would look by itself.
    await rows(page).first().waitFor();
    await page.getByRole("cell", { name: "Completed" }).waitFor();
  });

  test("a list that is slow shows its outline, and one that fails says why and is tried again", async () => {
    const page = await dashboard.openAs(viewer.email, "/keys");
    await heading(page, "API keys");
    let isAway = true;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // What the page needs beside the list travels with it.
    await page.route(/\/api\/batch$|\/calls\?/, async (route) => {
      await held;
      // However often the page asks by itself meanwhile.
      if (!isAway) return route.fallback();
      return route.fulfill({
        status: 500,
        json: { success: false, error: "The database is away.", code: "internal" },
      });
    });
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await heading(page, "Calls");
    await page.locator("[aria-busy=true]").waitFor();
    release();
    await page.getByRole("alert").getByText("The database is away.").waitFor();
    expect(await accessibilityFaults(page), "what failed").toEqual([]);
    const again = page.getByRole("button", { name: "Try again" });
    await again.focus();
    isAway = false;
    await page.keyboard.press("Enter");
    await expect.poll(() => rows(page).count(), WAIT).toBe(2);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("a call is read: who, what was said, how fast, with which tools, and whom it was told", async () => {
    const page = await dashboard.openAs(viewer.email, "/calls");
    await rows(page).nth(1).getByRole("link").click();
    await heading(page, "Call with Anna");
    await page.getByText(spoken.sessionId).waitFor();
    const transcript = page.getByRole("region", { name: "Transcript" });
    await transcript.getByText(`Caller: ${QUESTION}`).waitFor();
    await transcript.getByText(`Agent: ${ANSWER}`).waitFor();
    await page.getByRole("img", { name: "Turn 1: response after 640 milliseconds" }).waitFor();
    const events = page.getByRole("region", { name: "Events" });
    await events.getByText("Connected").waitFor();
    await events.getByText("Caller pressed 7").waitFor();
    await events.getByText("Tool find_parcel in turn 1: success after 90 ms").waitFor();
    await events.getByText("Ended: a participant hung up").waitFor();
    const floor = page.getByRole("region", { name: "Turn-taking" });
    await floor.getByRole("heading", { name: "Turn 1" }).waitFor();
    expect(await floor.locator("li p").allInnerTexts()).toEqual([
      "Caller spoke over the agent – volume lowered (sound, not words)",
      "Interrupted: 3 words heard",
      "Kept listening after 900 ms: sentence sounded unfinished",
      "Turn ended after 420 ms: sentence sounded complete",
    ]);
    await floor.getByText("2 more not kept").waitFor();
    await page.getByText("find_parcel", { exact: true }).click();
    await page.getByText('"lamp": "blue"').waitFor();
    await page.getByRole("link", { name: "call.ended" }).click();
    await heading(page, receiver.url);
    await page.getByRole("dialog").getByText("Status 200").waitFor();
  });

  test("on a wide screen every column is in sight, and a row is low, however long the caller's id is", async () => {
    const busy = await dashboard.api.createOrganization();
    const reader = await memberOnly(dashboard.api, busy.orgId, "viewer");
    const body = { agentId: busy.agentId, identifier: `customer-${"7".repeat(60)}` };
    await dashboard.api.call("POST", "/api/sessions/init-web-call", { key: busy.keys.owner, body });
    const page = await dashboard.openAs(reader.email, "/calls");
    await expect.poll(() => rows(page).count(), WAIT).toBe(1);
    const list = page.getByRole("region", { name: "List of calls" });
    expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect((await rows(page).boundingBox())?.height).toBeLessThan(64);
  });

  describe("deleting", () => {
    let owner: TestPerson;
    let call: KeptCall;
    beforeAll(async () => {
      const { api } = dashboard;
      const acme = await api.createOrganization();
      owner = await memberOnly(api, acme.orgId, "owner");
      call = await keepCall(api, acme, { said: ["My card is blue"] });
    });
    const remove = (page: Page) => page.getByRole("region", { name: "Delete" });
    const hold = (isHeld: boolean) =>
      dashboard.api.database.db.updateTable("organizations").set({ legal_hold: isHeld }).execute();

    test("is not offered to those who may not, nor under legal hold, and both are told why", async () => {
      const page = await dashboard.openAs(viewer.email, `/calls/${spoken.sessionId}`);
      await remove(page)
        .getByText("Deleting needs the role owner, admin or developer; yours is viewer.")
        .waitFor();
      expect(await remove(page).getByRole("button").count()).toBe(0);
      await hold(true);
      onTestFinished(async () => void (await hold(false)));
      const held = await dashboard.openAs(owner.email, `/calls/${call.sessionId}`);
      await remove(held).getByText("The organization is under legal hold").waitFor();
      expect(await remove(held).getByRole("button").count()).toBe(0);
    });

    test("takes the recording, then all that was said, after asking each time", async () => {
      const page = await dashboard.openAs(owner.email, `/calls/${call.sessionId}`);
      const transcript = page.getByRole("region", { name: "Transcript" });
      await page.getByRole("button", { name: "Delete recording" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Delete recording" }).click();
      expect(await accessibilityFaults(page), "asking first").toEqual([]);
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("Recording deleted.").waitFor();
      await page.getByRole("region", { name: "Recording" }).waitFor({ state: "detached" });
      await transcript.getByText("Caller: My card is blue").waitFor();
      await page.getByRole("button", { name: "Delete transcript and recording" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await transcript.getByText("The transcript was deleted.").waitFor();
      await remove(page).getByText("The call stays in the list.").waitFor();
      expect(existsSync(call.path)).toBe(false);
    });
  });

  test("on a phone two filters are in sight, those in use as well, and the others on demand", async () => {
    const page = await dashboard.openAs(viewer.email, "/calls?direction=inbound", { width: 390 });
    const filters = page.getByRole("search", { name: "Filters" });
    const shown = () => filters.locator("label:visible").allTextContents();
    await expect.poll(shown, WAIT).toEqual(["Transcript contains", "Number", "Direction"]);
    await filters.getByRole("button", { name: "More filters" }).click();
    await expect.poll(shown).toHaveLength(8);
    for (const field of await filters.locator("input, select").all()) {
      const box = await field.boundingBox();
      expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    await filters.getByRole("button", { name: "Fewer filters" }).click();
    await expect.poll(shown).toHaveLength(3);
  });

  test.for([1280, 390])("axe finds nothing in light and in dark, and all fits: %i wide", async (width) => {
    const page = await dashboard.open("/calls", { width });
    await signIn(page, viewer.email);
    await expect.poll(() => rows(page).count(), WAIT).toBe(2);
    await isFine(page, "the list");
    await rows(page).nth(1).getByRole("link").click();
    await page.locator(".axis-waves canvas").first().waitFor();
    await page.getByText("find_parcel", { exact: true }).click();
    await isFine(page, "the call");
  });
});

/** Of a file that was saved. */
async function linesOf(download: Download): Promise<string[]> {
  return readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\r\n");
}
