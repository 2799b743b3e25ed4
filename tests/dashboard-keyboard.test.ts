import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { phoneText } from "../dashboard/ui/phone-text.ts";
import { tabTo } from "../testkit/app-browser.ts";
import { heading, TestDashboard } from "../testkit/dashboard.ts";
import { keepCall } from "../testkit/kept-call.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";
import { TestReceiver } from "../testkit/receiver.ts";
import { flite } from "../testkit/speech.ts";

const WAIT = { timeout: 90_000 };
const RATE_HZ = 16_000;
const QUESTION = "Where is my parcel with the blue lamp";
const ANSWER = "Your parcel comes tomorrow.";

describe.runIf(needs("chromium"))("the dashboard by keyboard alone", () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await TestDashboard.start({ allowPrivateTargets: ["127.0.0.0/8"] });
    await dashboard.api.registerNode();
  });
  afterAll(() => dashboard.close());

  const press = async (page: Page, name: string | RegExp): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press("Enter");
  };
  const dialogOf = (page: Page) => page.getByRole("dialog");

  test("a call is opened from the list, played, and gone through line by line", async () => {
    const { api } = dashboard;
    const organization = await api.createOrganization();
    const viewer = await memberOnly(api, organization.orgId, "viewer");
    const speech = await flite(`${QUESTION}. ${ANSWER}`);
    const message = { type: "call.message", turn: 1, interrupted: false };
    const call = await keepCall(api, organization, {
      said: [],
      happened: [
        { afterMs: 1_500, event: { ...message, role: "user", text: QUESTION, source: "speech" } },
        { afterMs: 3_500, event: { ...message, role: "assistant", text: ANSWER, source: "brain" } },
      ],
      wav: encodeWav(speech, RATE_HZ),
      durationMs: Math.round((speech.length / RATE_HZ) * 1_000),
    });
    const page = await dashboard.openAs(viewer.email, "/calls");
    const link = page.getByRole("region", { name: "List of calls" }).getByRole("rowheader").getByRole("link");
    await link.waitFor(WAIT);
    await press(page, (await link.textContent()) ?? "");
    await heading(page, "Call with Anna");
    expect(page.url()).toContain(call.sessionId);
    const current = page.getByRole("region", { name: "Transcript" }).locator("[aria-current]");
    await page.locator(".axis-waves canvas").first().waitFor();
    await press(page, "Play");
    await current.getByText(QUESTION).waitFor(WAIT);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor(WAIT);
    await tabTo(page, "Position in the call");
    await page.keyboard.press("Home");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-valuetext")))
      .toMatch(/^0:00 of /);
    await current.getByText(QUESTION).waitFor(WAIT);
    await tabTo(page, /^Go to 0:00/);
    await page.keyboard.press("ArrowDown");
    await current.getByText(ANSWER).waitFor(WAIT);
    await page.keyboard.press("ArrowUp");
    await current.getByText(QUESTION).waitFor(WAIT);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await current.getByText(ANSWER).waitFor(WAIT);
  });

  test("a webhook is made, its secret read, and its delivery replayed", async () => {
    const receiver = await TestReceiver.answering(200);
    onTestFinished(() => receiver.close());
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.openAs(owner.email, "/webhooks");
    await heading(page, "Webhooks");
    await press(page, "Add endpoint");
    await dialogOf(page).getByLabel("URL", { exact: true }).waitFor();
    await page.keyboard.type(receiver.url);
    await page.keyboard.press("Enter");
    await dialogOf(page).locator(".secret code").waitFor(WAIT);
    expect((await dialogOf(page).locator(".secret code").textContent())?.length).toBeGreaterThan(20);
    await page.keyboard.press("Escape");
    await dialogOf(page).locator(".secret code").waitFor();
    await press(page, "Send a test event");
    await heading(page, receiver.url);
    await press(page, "Send test event");
    await dialogOf(page).getByRole("button", { name: "Send" }).waitFor();
    await press(page, "Send");
    await page.getByRole("cell", { name: "Delivered" }).waitFor(WAIT);
    await press(page, /^call\.ended/);
    await dialogOf(page).getByText("Status 200").waitFor();
    await press(page, "Deliver again");
    await expect.poll(() => receiver.received.length, WAIT).toBe(2);
    await dialogOf(page).getByText("Status 200").waitFor(WAIT);
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("call.ended");
  });

  test("one of many calls is found by a part of its number", async () => {
    const { api } = dashboard;
    const organization = await api.createOrganization();
    const viewer = await memberOnly(api, organization.orgId, "viewer");
    // The sought call is the oldest one: not on the list's first page.
    const sessions: string[] = [];
    const CALLS = 52;
    for (let made = 0; made < CALLS; made++) {
      const body = { agentId: organization.agentId };
      const options = { key: organization.keys.owner, body };
      const answer = await api.call("POST", "/api/sessions/init-web-call", options);
      sessions.push((answer.body.data as { sessionId: string }).sessionId);
    }
    const give = (number: string) =>
      api.database.db.updateTable("calls").set({ from_number: number, to_number: "+12025550100" });
    await give("+12025550123").where("org_id", "=", organization.orgId).execute();
    await give("+12065559876")
      .where("session_id", "=", sessions[0] ?? "")
      .execute();
    const page = await dashboard.openAs(viewer.email, "/calls");
    const rows = page.getByRole("region", { name: "List of calls" }).getByRole("rowheader");
    await expect.poll(() => rows.count(), WAIT).toBe(50);
    await tabTo(page, "Number");
    await page.keyboard.type("555-98");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count(), WAIT).toBe(1);
    await page.getByRole("cell", { name: phoneText("+12065559876") }).waitFor();
    await press(page, (await rows.first().textContent()) ?? "");
    await page.waitForURL(`**/calls/${sessions[0]}`);
  });
});
