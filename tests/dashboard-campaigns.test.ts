import { readFile } from "node:fs/promises";
import { newId } from "@parley/shared/ids.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import { picture } from "../testkit/softphone-pages.ts";

const HOUR_MS = 3_600_000;

describe.runIf(needs("chromium"))("the pages for campaigns in a browser", () => {
  let dashboard: TestDashboard;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
  });
  afterAll(() => dashboard.close());

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const inDialog = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

  test("a developer makes a campaign, adds people, starts, pauses and takes the list along", async () => {
    const { orgId } = await dashboard.api.createOrganization();
    const developer = await memberOnly(dashboard.api, orgId, "developer");
    const page = await dashboard.openAs(developer.email, "/campaigns");
    await heading(page, "Campaigns");
    await page.getByText("No campaigns yet.").waitFor();
    await press(page, "Create campaign");
    // What is wrong is said at the field, and the first of them has the focus.
    await page.getByLabel("From", { exact: true }).fill("20:00");
    await page.getByLabel("Until").fill("09:00");
    await page.getByLabel("Calls per minute").fill("");
    await page.getByLabel("Budget in US dollars").fill("much");
    await inDialog(page, "Create campaign");
    await page.getByText("Name must not be empty.").waitFor();
    await page.getByText("Until has to be later than from.").waitFor();
    await page.getByText("Calls per minute must be a number.").waitFor();
    await page.getByText("Budget in US dollars must be dollars as text").waitFor();
    expect(
      await page.getByLabel("Name", { exact: true }).evaluate((el) => el === document.activeElement),
    ).toBe(true);
    await page.getByLabel("Calls per minute").fill("10");
    await page.getByLabel("Budget in US dollars").fill("12.50");
    await page.getByLabel("Name", { exact: true }).fill("Renewals");
    await page.getByLabel("Days").selectOption("Every day");
    // Nobody is dialed: it is hardly ever that time.
    await page.getByLabel("From", { exact: true }).fill("00:00");
    await page.getByLabel("Until").fill("00:01");
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "campaign-new");
    await inDialog(page, "Create campaign");

    await heading(page, "Renewals");
    await press(page, "Start");
    await page.getByText("There is no one left to call in this campaign").waitFor();
    await page
      .getByLabel("Or rows")
      .fill("phone,name\n+12025550111,Ada\n+12025550112,=Bob\n12,Eve\n+12025550111,Ada");
    await press(page, "Add people");
    await page.getByText("Added 2; 1 were there already; row 3 (12)").waitFor();
    await press(page, "Start");
    await page.getByText("Running", { exact: true }).waitFor();
    await press(page, "Pause");
    await page.getByText("Paused", { exact: true }).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Export CSV")]);
    const csv = await readFile(await download.path(), "utf8");
    expect(csv.split("\r\n")).toEqual([
      "phone,timezone,state,outcome,attempts,session_id,name",
      "+12025550111,US,waiting,,0,,Ada",
      "+12025550112,US,waiting,,0,,'=Bob",
    ]);
    await press(page, "Cancel campaign");
    await inDialog(page, "Cancel campaign");
    await page.getByText("Canceled", { exact: true }).waitFor();
  });

  test("shows outcomes, answers by hour and each call, also on a phone in the dark", async () => {
    const organization = await dashboard.api.createOrganization();
    const viewer = await memberOnly(dashboard.api, organization.orgId, "viewer");
    const id = await pastCampaign(dashboard, organization);
    const page = await dashboard.openAs(viewer.email, `/campaigns/${id}`);
    await heading(page, "Spring offer");
    await page.getByText("30 of 40").waitFor();
    await page.getByText("Best hour:").waitFor();
    await page.getByText("of ended calls").waitFor();
    expect(await page.getByRole("button", { name: "Start" }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(new Set(await meterHeights(page)), "a meter is filled as high as it is").toEqual(new Set([10]));
    await picture(page, "campaign-live");
    await page.getByLabel("Show", { exact: true }).selectOption("Busy");
    await expect.poll(() => page.getByRole("row").count()).toBe(11);
    const phone = await dashboard.openAs(viewer.email, `/campaigns/${id}`, { width: 390, dark: true });
    await phone.getByText("30 of 40").waitFor();
    expect(await overflowOf(phone)).toBe(0);
    expect(await accessibilityFaults(phone)).toEqual([]);
    await picture(phone, "campaign-live-phone");
  });

  test("the do-not-call list takes numbers, finds them and lets them go", async () => {
    const { orgId } = await dashboard.api.createOrganization();
    const developer = await memberOnly(dashboard.api, orgId, "developer");
    const page = await dashboard.openAs(developer.email, "/do-not-call", { width: 390 });
    await heading(page, "Do not call");
    await press(page, "Add numbers");
    await page.getByLabel("Numbers, one per line").fill("+12025550111\n+4930 1234567\nnobody");
    await page.getByLabel("Why (optional)").fill("asked by letter");
    await inDialog(page, "Add numbers");
    await page.getByText("Added 2; row 3 (nobody)").waitFor();
    await page.getByRole("rowheader", { name: "+49301234567", exact: true }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "do-not-call");
    await page.getByLabel("Find a number").fill("2025550111");
    await page.keyboard.press("Enter");
    await page.getByRole("rowheader", { name: "+49301234567", exact: true }).waitFor({ state: "detached" });
    await press(page, "Remove +12025550111");
    await inDialog(page, "Remove");
    await page.getByText("+12025550111 may be called again.").waitFor();
  });
});

/** A campaign of the last hours: 40 people, of whom 30 are done. */
async function pastCampaign(dashboard: TestDashboard, organization: TestOrganization): Promise<string> {
  const { orgId, agentId, userId } = organization;
  const { db } = dashboard.api.database;
  const id = newId("cmp");
  const nowMs = Date.now();
  const [at, due] = [new Date(nowMs - 12 * HOUR_MS), new Date(nowMs + HOUR_MS)];
  await db
    .insertInto("campaigns")
    .values({
      ...{ id, org_id: orgId, kind: "calls", name: "Spring offer", status: "paused", created_by: userId },
      ...{ status_reason: "Its budget of 20 minutes is used up.", settings: JSON.stringify({ agentId }) },
      ...{ created_at: at, updated_at: at, started_at: at },
    })
    .execute();
  const outcomes = ["answered", "busy", "no_answer"] as const;
  for (let i = 0; i < 40; i++) {
    const isDone = i < 30;
    const [targetId, outcome] = [newId("tgt"), outcomes[i % 3] ?? "busy"];
    await db
      .insertInto("campaign_targets")
      .values({
        ...{
          id: targetId,
          campaign_id: id,
          org_id: orgId,
          phone: `+1202555${1_000 + i}`,
          zone: "country:US",
        },
        ...{ variables: "{}", due_at: due, created_at: at, attempts: isDone ? 1 : 0 },
        ...(isDone ? { state: "done" as const, outcome } : {}),
      })
      .execute();
    if (!isDone) continue;
    const dialedAt = new Date(nowMs - ((i % 9) + 1) * HOUR_MS);
    await db
      .insertInto("campaign_attempts")
      .values({
        ...{ id: newId("att"), campaign_id: id, org_id: orgId, target_id: targetId, number: 1 },
        ...{
          dealt_at: dialedAt,
          dialed_at: dialedAt,
          settled_at: dialedAt,
          session_id: newId("ses"),
          outcome,
        },
        talk_secs: outcome === "answered" ? 125 : 0,
      })
      .execute();
  }
  return id;
}

/** Heights in pixels of the first meter and of what Chromium builds it of, which styles reach and scripts do not. */
async function meterHeights(page: Page): Promise<number[]> {
  const devtools = await page.context().newCDPSession(page);
  const { root } = await devtools.send("DOM.getDocument", { depth: -1, pierce: true });
  const within = (node: typeof root): (typeof root)[] => [
    node,
    ...[...(node.shadowRoots ?? []), ...(node.children ?? [])].flatMap(within),
  ];
  const meter = within(root).find(({ nodeName }) => nodeName === "METER");
  const parts = meter ? within(meter).filter(({ nodeType }) => nodeType === 1) : [];
  const models = await Promise.all(parts.map(({ nodeId }) => devtools.send("DOM.getBoxModel", { nodeId })));
  await devtools.detach();
  return models.map(({ model }) => model.height);
}
