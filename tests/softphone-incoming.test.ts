// Real time: phones ring, and what a browser plays is heard at the rate of speech.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading } from "../testkit/dashboard.ts";
import { needs } from "../testkit/needs.ts";
import {
  button,
  call,
  connected,
  dial,
  ending,
  HEARING,
  PATH,
  panel,
  picture,
  played,
  SAYS,
  TestSoftphonePages,
  WAIT,
} from "../testkit/softphone-pages.ts";
import { LOUD, loudness, STAY } from "../testkit/softphones.ts";

const incoming = (page: Page) => page.getByRole("region", { name: "Incoming call" });

describe.runIf(needs("chromium"))("calls that come in at the softphone's page", { timeout: 240_000 }, () => {
  let pages: TestSoftphonePages;
  beforeAll(async () => {
    pages = await TestSoftphonePages.start();
  });
  afterAll(() => pages.close());

  test("a second caller waits, is declined, and another is answered in the place of the first", async () => {
    const page = await pages.open();
    const to = pages.softphones.phone([STAY]);
    await call(page, to);
    const first = await pages.sessionOf(to);
    const waiting = incoming(page);
    const declined = await pages.agent.ring([STAY]);
    await waiting.getByText("Call waiting").waitFor(WAIT);
    await page.keyboard.press("Alt+KeyA");
    await waiting.getByRole("button", { name: "Decline" }).click();
    await waiting.waitFor({ state: "hidden", ...WAIT });
    await pages.softphones.telephony.untilStatus(declined.sessionId, "busy");
    await connected(page);

    const second = await pages.agent.ring([SAYS, STAY]);
    await waiting.getByRole("button", { name: "End & answer" }).click();
    await pages.softphones.telephony.untilStatus(first, "completed");
    await panel(page).getByRole("heading", { name: "+1 202 555 0177" }).waitFor(WAIT);
    await connected(page);
    await expect.poll(async () => loudness(await played(page)), HEARING).toBeGreaterThan(LOUD);
    await pages.softphones.untilHeard(second.sessionId);
    await button(page, "Hang up").click();
    await pages.softphones.telephony.untilStatus(second.sessionId, "completed");
  });

  test("a second call that another device answered first leaves the one that goes on alone", async () => {
    const page = await pages.open();
    await call(page, pages.softphones.phone([STAY]));
    const waiting = incoming(page);
    const { sessionId } = await pages.agent.ring([STAY]);
    await waiting.waitFor(WAIT);
    await page.route("**/answer", (route) =>
      route.fulfill({ status: 409, json: { success: false, error: "It was answered already." } }),
    );
    await waiting.getByRole("button", { name: "End & answer" }).click();
    await page.getByRole("alert").getByText("It was answered already.").waitFor(WAIT);
    await connected(page);
    expect(await ending(page).count()).toBe(0);
    await pages.softphones.telephony.request("DELETE", `/api/sessions/${sessionId}`);
  });

  test("a second caller is connected also where the microphone is refused: no other device rings for them", async () => {
    const page = await pages.open(PATH, {}, "refused");
    const to = pages.softphones.phone([STAY]);
    await dial(page, to);
    await button(page, "Call and only listen").click();
    await connected(page);
    const first = await pages.sessionOf(to);
    const second = await pages.agent.ring([SAYS, STAY]);
    await incoming(page).getByRole("button", { name: "End & answer" }).click();
    await pages.softphones.telephony.untilStatus(first, "completed");
    await panel(page).getByRole("heading", { name: "+1 202 555 0177" }).waitFor(WAIT);
    await expect.poll(async () => loudness(await played(page)), HEARING).toBeGreaterThan(LOUD);
    await button(page, "Hang up").click();
    await pages.softphones.telephony.untilStatus(second.sessionId, "completed");
  });

  test("a call to one's number rings on every page, and is answered by keyboard", async () => {
    const page = await pages.open("/calls");
    await heading(page, "Calls");
    const { sessionId } = await pages.agent.ring([SAYS, STAY]);
    await incoming(page).getByText("+1 202 555 0177").waitFor(WAIT);
    expect(await page.title()).toContain("is calling");
    await page.keyboard.press("Alt+KeyA");
    await heading(page, "Softphone");
    await connected(page);
    await expect.poll(async () => loudness(await played(page)), HEARING).toBeGreaterThan(LOUD);
    await pages.softphones.untilHeard(sessionId);
    await button(page, "Hang up").click();
    await ending(page).getByText("It lasted").waitFor(WAIT);
    const own = page.locator(`a[href$="${sessionId}"]`, { hasText: "From" });
    await expect.poll(() => own.textContent(), WAIT).toBe("From +1 202 555 0177");
  });

  test("a call that comes while a dialog is open is seen above it, and is answered there", async () => {
    const page = await pages.open("/agents");
    await page.getByRole("button", { name: "Create agent" }).first().click();
    await page.getByRole("dialog").waitFor(WAIT);
    const { sessionId } = await pages.agent.ring([STAY]);
    const answer = incoming(page).getByRole("button", { name: "Answer" });
    await answer.waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
    // It would not be pressed if anything lay above it.
    await answer.click();
    await connected(page);
    await button(page, "Hang up").click();
    await pages.softphones.telephony.untilStatus(sessionId, "completed");
  });

  test("a call that is declined, or given up, does not ring any more on any device", async () => {
    const page = await pages.open();
    const other = await pages.open();
    const declined = await pages.agent.ring([STAY]);
    await incoming(other).waitFor(WAIT);
    await incoming(page).getByRole("button", { name: "Decline" }).click();
    for (const device of [page, other]) await incoming(device).waitFor({ state: "hidden", ...WAIT });
    await pages.softphones.telephony.untilStatus(declined.sessionId, "busy");
    const given = await pages.agent.ring([STAY]);
    await incoming(page).waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "incoming");
    await pages.softphones.telephony.request("DELETE", `/api/sessions/${given.sessionId}`);
    for (const device of [page, other]) await incoming(device).waitFor({ state: "hidden", ...WAIT });
  });
});
