// Real time: what a browser's loudspeaker plays, and its microphone hears, runs at the rate of speech.
import { scriptOf } from "@parley/control-api/channels/carriers/loopback/script.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf } from "../testkit/dashboard.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import {
  button,
  call,
  connected,
  ending,
  HEARING,
  ownNumbersLoaded,
  PATH,
  panel,
  picture,
  played,
  RATE_HZ,
  TestSoftphonePages,
  WAIT,
} from "../testkit/softphone-pages.ts";
import { keysIn, LOUD, loudness, STAY } from "../testkit/softphones.ts";

/** Of the phone that speaks at once. */
const MACHINE = "+12025550103";

/** What each audio context that plays something plays on, and the loudest of it so far. */
const WATCH_SPEAKERS = `
  globalThis.speakers = [];
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode && !("watch" in this.context)) {
      const watch = { rateHz: this.context.sampleRate, peak: 0, context: this.context };
      this.context.watch = watch;
      globalThis.speakers.push(watch);
      const tap = this.context.createScriptProcessor(1024, 1, 1);
      tap.onaudioprocess = ({ inputBuffer }) => {
        for (const sample of inputBuffer.getChannelData(0)) watch.peak = Math.max(watch.peak, Math.abs(sample));
      };
      connect.call(this, tap);
      connect.call(tap, target);
    }
    return connect.call(this, target, ...rest);
  };
`;

/** The microphones that were opened, the last one last. */
const WATCH_MICROPHONES = `
  globalThis.microphones = [];
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    const stream = await open(constraints);
    globalThis.microphones.push(stream.getAudioTracks()[0].getSettings().deviceId);
    return stream;
  };
`;

interface WatchedSpeaker {
  readonly rateHz: number;
  readonly peak: number;
  readonly sinkId: string;
}

describe.runIf(needs("chromium"))("the softphone's page by mouse", { timeout: 240_000 }, () => {
  let pages: TestSoftphonePages;
  beforeAll(async () => {
    pages = await TestSoftphonePages.start();
    pages.softphones.telephony.phone(MACHINE, scriptOf(MACHINE));
  });
  afterAll(() => pages.close());

  const key = (page: Page, keys: string, digit: string) =>
    page
      .getByRole("group", { name: keys })
      .getByRole("button", { name: NAMES[digit] ?? digit })
      .click();
  const NAMES: Readonly<Record<string, string>> = { "*": "star", "#": "hash" };
  const incoming = (page: Page) => page.getByRole("region", { name: "Incoming call" });
  const speakers = (page: Page) =>
    page.evaluate<WatchedSpeaker[]>(
      "speakers.map(({ rateHz, peak, context }) => ({ rateHz, peak, sinkId: context.sinkId }))",
    );
  /** Chooses a loudspeaker that is not the system's own; gives its id. */
  const chooseSpeaker = async (page: Page): Promise<string> => {
    const choice = page.getByLabel("Speaker", { exact: true });
    await expect.poll(() => choice.locator("option").count(), WAIT).toBeGreaterThan(1);
    const [id] = await choice.selectOption({ index: 1 });
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    return id ?? "";
  };

  test("Call pressed before the numbers to call from are loaded calls as soon as they are", async () => {
    const to = pages.softphones.phone([STAY]);
    const page = await pages.open();
    await heading(page, "Softphone");
    const loaded = Promise.withResolvers<void>();
    await page.route(/\/api\/batch$/, async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByLabel("Number to call").fill(to);
    await page.keyboard.press("Enter");
    await page.getByText("Calling as soon as the numbers to call from are here").waitFor();
    loaded.resolve();
    await connected(page);
  });

  test("a member without a number gets one, is called by a simulated phone, and hears it", async () => {
    const { organization, api } = pages.softphones.telephony;
    const member = await memberOnly(api, organization.orgId, "developer");
    const page = await pages.open(PATH, {}, "speaking", member);
    await page.getByRole("link", { name: "Give yourself one under Numbers" }).click();
    await heading(page, "Numbers");
    await button(page, "Add number").click();
    await page.getByLabel("Number", { exact: true }).fill("+12025550190");
    await page.getByRole("dialog").getByRole("button", { name: "Add number" }).click();
    await page.getByText("+1 202 555 0190: Rings for you.").waitFor(WAIT);
    await page.getByRole("link", { name: "Softphone", exact: true }).click();
    await button(page, "Simulate incoming call").click();
    await page.getByLabel("Caller", { exact: true }).selectOption({ label: "Answering machine" });
    await button(page, "Call now").click();
    await incoming(page).getByText("+1 202 555 0103 calls +1 202 555 0190").waitFor(WAIT);
    await incoming(page).getByRole("button", { name: "Answer" }).click();
    await connected(page);
    await expect.poll(async () => loudness(await played(page)), HEARING).toBeGreaterThan(LOUD);
    await pages.softphones.untilHeard(await pages.sessionOf("+12025550190"));
    await button(page, "Hang up").click();
    await ending(page).getByText("You hung up. It lasted").waitFor(WAIT);
  });

  test("a simulated call to oneself rings in sight, however far down the page it was asked for", async () => {
    const { telephony } = pages.softphones;
    const numbers = Array.from({ length: 10 }, (_, last) => `+1202555600${last}`);
    for (const number of numbers) {
      const body = { number, userId: pages.agent.person.userId };
      expect((await telephony.request("POST", "/api/v1/numbers", body)).status).toBe(201);
    }
    const page = await pages.open("/numbers", { viewport: { width: 390, height: 900 } });
    await button(page, "Simulate call to +1 202 555 6009").click();
    await button(page, "Call now").click();
    await incoming(page).getByText("+1 202 555 0100 calls +1 202 555 6009").waitFor(WAIT);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300);
    expect((await incoming(page).boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await picture(page, "incoming-in-sight");
    await incoming(page).getByRole("button", { name: "Decline" }).click();
    await incoming(page).waitFor({ state: "hidden", ...WAIT });
  });

  test("the keys of the dial pad dial, those of the keypad are heard by the phone", async () => {
    const to = pages.softphones.phone([STAY]);
    const page = await pages.open();
    await ownNumbersLoaded(page);
    for (const digit of [...to.slice(2), "*"]) await key(page, "Dial pad", digit);
    await button(page, "Erase the last digit").click();
    expect(await page.getByLabel("Number to call").inputValue()).toBe(to.slice(2));
    await button(page, "Call").click();
    await connected(page);
    const sessionId = await pages.sessionOf(to);
    await button(page, "Mute").click();
    await button(page, "Keypad").click();
    const before = pages.softphones.heardBy(sessionId).length;
    for (const digit of "1937*0#") await key(page, "Keys to send", digit);
    await expect
      .poll(() => keysIn(pages.softphones.heardBy(sessionId).slice(before)), HEARING)
      .toBe("1937*0#");
    await panel(page).getByText("1937*0#").waitFor();
    await button(page, "Hang up").click();
    await ending(page).waitFor(WAIT);
  });

  test("the chosen loudspeaker plays the sound to try it with, and the call, also when chosen in it", async () => {
    const page = await pages.open();
    await page.evaluate(WATCH_SPEAKERS);
    const first = await chooseSpeaker(page);
    await button(page, "Test speaker").click();
    await page.getByText("You should hear two tones").waitFor();
    await expect
      .poll(
        async () => (await speakers(page)).map(({ sinkId, peak }) => sinkId === first && peak > 0.1),
        WAIT,
      )
      .toEqual([true]);
    await page.getByText("You should hear two tones").waitFor({ state: "hidden" });

    await call(page, pages.softphones.phone([STAY]));
    const ofCall = async (): Promise<string[]> =>
      (await speakers(page)).filter(({ rateHz }) => rateHz === RATE_HZ).map(({ sinkId }) => sinkId);
    expect(await ofCall()).toEqual([first]);
    const choice = page.getByLabel("Speaker", { exact: true });
    const [second = ""] = await choice.selectOption({ index: 2 });
    expect(second).not.toBe(first);
    await expect.poll(ofCall, WAIT).toEqual([second]);
    await choice.selectOption({ label: "System default" });
    await expect.poll(ofCall, WAIT).toEqual([""]);
    await button(page, "Hang up").click();
    await ending(page).waitFor(WAIT);
  });

  test("the chosen microphone is the one that is opened, also when chosen in the call", async () => {
    const page = await pages.open();
    await page.evaluate(WATCH_MICROPHONES);
    const opened = async () => (await page.evaluate<string[]>("microphones")).at(-1);
    const choice = page.getByLabel("Microphone", { exact: true });
    await expect.poll(() => choice.locator("option").count(), WAIT).toBeGreaterThan(2);
    const [first = ""] = await choice.selectOption({ index: 2 });
    const to = pages.softphones.phone([STAY]);
    await call(page, to);
    expect(await opened()).toBe(first);
    const [second = ""] = await choice.selectOption({ index: 1 });
    expect(second).not.toBe(first);
    await expect.poll(opened, WAIT).toBe(second);
    await pages.softphones.untilHeard(await pages.sessionOf(to));
    await button(page, "Hang up").click();
    await ending(page).waitFor(WAIT);
  });

  test("the meter rises with what the microphone hears, and falls when it is quiet", async () => {
    const page = await pages.open();
    await page.getByRole("button", { name: /Test microphone|Allow and test/ }).click();
    const level = (): Promise<number> =>
      page
        .locator(".phone-test .level-meter")
        .evaluate((meter) => Number(meter.style.getPropertyValue("--level")));
    const soon = { ...WAIT, interval: 20 };
    await expect.poll(level, soon).toBeGreaterThan(0.3);
    await expect.poll(level, soon).toBeLessThan(0.1);
    await expect.poll(level, soon).toBeGreaterThan(0.3);
  });

  test("that nobody took a call over is dismissed, or goes when something is done with the call", async () => {
    const page = await pages.open();
    await call(page, pages.softphones.phone([STAY]));
    const engaged = pages.softphones.phone([], { outcome: "busy" });
    const told = panel(page).getByText("Nobody took it");
    const handOver = async (): Promise<void> => {
      await button(page, "Transfer").click();
      await page.getByLabel("Number to hand over to").fill(engaged);
      await page.getByRole("dialog").getByRole("button", { name: "Transfer" }).click();
      await told.waitFor(WAIT);
    };
    await handOver();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await picture(page, "came-back");
    await button(page, "Dismiss").click();
    await told.waitFor({ state: "hidden" });
    // The focus is not lost with the button: the keys of the call go on.
    await page.keyboard.press("m");
    await panel(page).getByText("Muted: they do not hear you").waitFor();
    await handOver();
    await button(page, "Hold").click();
    await told.waitFor({ state: "hidden" });
    await panel(page).getByText("On hold", { exact: true }).first().waitFor();
    await button(page, "Hang up").click();
    await ending(page).waitFor(WAIT);
  });
});
