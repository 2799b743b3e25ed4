import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { accessibilityFaults } from "../dashboard/testing/app-browser.ts";
import { heading, overflowOf, signIn, TestDashboard } from "./support/dashboard.ts";
import { type KeptCall, keepCall } from "./support/kept-call.ts";
import { memberOnly } from "./support/members.ts";
import { needs } from "./support/needs.ts";
import type { TestOrganization } from "./support/organization.ts";
import type { TestPerson } from "./support/person.ts";
import { TestReceiver } from "./support/receiver.ts";
import { flite } from "./support/speech.ts";

const WAIT = { timeout: 15_000 };
const RATE_HZ = 16_000;
const QUESTION = "Where is my parcel with the blue lamp";
const ANSWER = "Your parcel is on its way and comes tomorrow.";

describe.runIf(needs("chromium"))("the pages for calls in a browser", { timeout: 60_000 }, () => {
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
    spoken = await keepSpokenCall(dashboard, organization);
    await keepCall(dashboard.api, organization, { said: ["Something else"] });
    await vi.waitUntil(() => receiver.received.length === 2, WAIT);
  }, 60_000);
  afterAll(async () => {
    await dashboard.close();
    await receiver.close();
  });

  const rows = (page: Page) => page.getByRole("region", { name: "List of calls" }).getByRole("rowheader");

  test("calls are found by what they are and by what was said in them", async () => {
    const page = await dashboard.openAs(viewer.email, "/settings/calls");
    await heading(page, "Calls");
    await expect.poll(() => rows(page).count(), WAIT).toBe(2);
    await page.getByLabel("Words said").fill("BLUE lamp");
    await page.getByLabel("Status").selectOption("Completed");
    await page.getByLabel("Agent").selectOption("Anna");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect.poll(() => rows(page).count(), WAIT).toBe(1);
    expect(new URL(page.url()).searchParams.get("text")).toBe("BLUE lamp");
    await page.reload();
    await expect.poll(() => rows(page).count(), WAIT).toBe(1);
    expect(await page.getByLabel("Words said").inputValue()).toBe("BLUE lamp");
    await page.getByLabel("Direction").selectOption("Outbound");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("No call is like that").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => rows(page).count(), WAIT).toBe(2);
    await page.getByLabel("From day").fill("2001-01-01");
    await page.getByLabel("To day").fill("2001-01-02");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("No call is like that").waitFor();
  });

  test("a long history is turned page by page, and back to the newest", async () => {
    const busy = await dashboard.api.createOrganization();
    const reader = await memberOnly(dashboard.api, busy.orgId, "viewer");
    const CALLS = 51;
    for (let made = 0; made < CALLS; made++) {
      const body = { agentId: busy.agentId };
      await dashboard.api.call("POST", "/api/sessions/init-web-call", { key: busy.keys.owner, body });
    }
    const page = await dashboard.openAs(reader.email, "/settings/calls");
    await expect.poll(() => rows(page).count(), WAIT).toBe(50);
    await page.getByRole("button", { name: "Older" }).click();
    await expect.poll(() => rows(page).count(), WAIT).toBe(1);
    await page.getByRole("button", { name: "Newest" }).click();
    await expect.poll(() => rows(page).count(), WAIT).toBe(50);
  });

  test("a call is read: who, what was said, how fast, with which tools, and whom it was told", async () => {
    const page = await dashboard.openAs(viewer.email, "/settings/calls");
    await rows(page).nth(1).getByRole("link").click();
    await heading(page, "Call with Anna");
    await page.getByText(spoken.sessionId).waitFor();
    const transcript = page.getByRole("region", { name: "Transcript" });
    await transcript.getByText(`Caller: ${QUESTION}`).waitFor();
    await transcript.getByText(`Agent: ${ANSWER}`).waitFor();
    await page.getByRole("img", { name: "Turn 1: response after 640 milliseconds" }).waitFor();
    await page.getByText("find_parcel").click();
    await page.getByText('"lamp": "blue"').waitFor();
    await page.getByRole("link", { name: "call.ended" }).click();
    await heading(page, receiver.url);
    await page.getByRole("dialog").getByText("Status 200").waitFor();
  });

  test("a recording is played, and the transcript follows it and leads into it", async () => {
    const page = await dashboard.openAs(viewer.email, `/settings/calls/${spoken.sessionId}`);
    const current = page.getByRole("region", { name: "Transcript" }).locator("[aria-current]");
    await page.locator(".call-waves canvas").first().waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await current.getByText(QUESTION).waitFor();
    await current.getByText(ANSWER).waitFor(WAIT);
    await page.getByRole("button", { name: "Play", exact: true }).waitFor(WAIT);
    await page.getByRole("slider", { name: "Position in the recording" }).fill("0");
    await current.getByText(QUESTION).waitFor();
    await page.getByRole("button", { name: "Play from 0:02" }).click();
    await current.getByText(ANSWER).waitFor();
  });

  test.for([
    { dark: false, width: 1280 },
    { dark: true, width: 1280 },
    { dark: false, width: 390 },
    { dark: true, width: 390 },
  ])("axe finds nothing, and all fits: dark $dark, $width wide", async (look) => {
    const page = await dashboard.open("/settings/calls", look);
    await signIn(page, viewer.email);
    await expect.poll(() => rows(page).count(), WAIT).toBe(2);
    expect(await accessibilityFaults(page), "the list").toEqual([]);
    expect(await overflowOf(page), "the list is wider than the screen").toBe(0);
    await rows(page).nth(1).getByRole("link").click();
    await page.locator(".call-waves canvas").first().waitFor();
    await page.getByText("find_parcel").click();
    expect(await accessibilityFaults(page), "the call").toEqual([]);
    expect(await overflowOf(page), "the call is wider than the screen").toBe(0);
  });
});

/** A call in which the caller asked, the agent looked something up and answered. */
async function keepSpokenCall({ api }: TestDashboard, organization: TestOrganization): Promise<KeptCall> {
  const parts = [await flite(QUESTION), await flite(ANSWER)];
  const samples = Int16Array.from(parts.flatMap((part) => [...part]));
  const message = { type: "call.message", turn: 1, interrupted: false };
  const metrics = { endOfTurnMs: 200, brainFirstTokenMs: 250, ttsFirstByteMs: 120, responseMs: 640 };
  const tool = { name: "find_parcel", arguments: { lamp: "blue" }, result: { found: true } };
  return keepCall(api, organization, {
    said: [],
    happened: [
      { afterMs: 2_000, event: { ...message, role: "user", text: QUESTION, source: "speech" } },
      { afterMs: 2_100, event: { type: "call.tool_invoked", turn: 1, ...tool, status: "ok", latencyMs: 90 } },
      { afterMs: 2_300, event: { type: "call.turn_metrics", turn: 1, metrics } },
      { afterMs: 4_500, event: { ...message, role: "assistant", text: ANSWER, source: "brain" } },
    ],
    wav: encodeWav(samples, RATE_HZ),
    durationMs: Math.round((samples.length / RATE_HZ) * 1_000),
  });
}
