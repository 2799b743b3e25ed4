// Real time: a browser and a phone talk to each other, and a recognizer hears both.
import type { PhoneStep } from "@parley/control-api/channels/carriers/loopback/script.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { phoneText } from "../dashboard/ui/phone-text.ts";
import { heading } from "../testkit/dashboard.ts";
import { isFine } from "../testkit/fine-page.ts";
import { needs } from "../testkit/needs.ts";
import { recognize, wordsFound } from "../testkit/recognizer.ts";
import {
  button,
  call,
  dial,
  ending,
  GREETING,
  HEARING,
  ownNumbersLoaded,
  PATH,
  panel,
  picture,
  played,
  RATE_HZ,
  SAID,
  SAYS,
  TestSoftphonePages,
  WAIT,
} from "../testkit/softphone-pages.ts";
import { keysIn, LOUD, loudness, STAY, type TestSoftphones } from "../testkit/softphones.ts";
import { flite } from "../testkit/speech.ts";

/** Of the words: a browser's noise suppression costs this recognizer some, what was not said has a quarter of them. */
const ENOUGH = 0.5;
/** A busy machine needs a moment until the page is in the call, too. */
const LATER: PhoneStep = { do: "wait", ms: 4_000 };

describe.runIf(needs("chromium") && needs("pocketsphinx"))(
  "the softphone page and the real gateway",
  { timeout: 240_000 },
  () => {
    let pages: TestSoftphonePages;
    let softphones: TestSoftphones;

    beforeAll(async () => {
      pages = await TestSoftphonePages.start();
      softphones = pages.softphones;
    });
    afterAll(() => pages.close());

    /** The first so many samples from where it becomes loud, with a little before and after. */
    async function spoken(heard: () => Promise<Int16Array> | Int16Array, samples: number) {
      const AROUND = RATE_HZ / 4;
      const begin = (all: Int16Array): number => all.findIndex((sample) => Math.abs(sample) > 2 * LOUD);
      const isComplete = async (): Promise<boolean> => {
        const all = await heard();
        return begin(all) >= 0 && all.length > begin(all) + samples + AROUND;
      };
      await expect.poll(isComplete, HEARING).toBe(true);
      const all = await heard();
      return all.slice(Math.max(0, begin(all) - AROUND), begin(all) + samples + AROUND);
    }
    /** Waits until `samples` have come since `from`, and gives them. */
    async function since(from: number, heard: () => Promise<Int16Array> | Int16Array, samples: number) {
      await expect.poll(async () => (await heard()).length, HEARING).toBeGreaterThan(from + samples);
      return (await heard()).slice(from);
    }

    test("a call carries both voices, keys, mute and notes, and ends with the page's last word", async () => {
      const says: PhoneStep[] = [{ do: "say", text: GREETING }, { do: "press", keys: "5" }, STAY];
      const to = softphones.phone(says, { ringMs: 1_500 });
      const page = await pages.open();
      await heading(page, "Softphone");
      // As it is pasted from a letter.
      await call(page, `(${to.slice(2, 5)}) ${to.slice(5, 8)}-${to.slice(8)}`);
      const sessionId = await pages.sessionOf(to);
      await panel(page).getByText("They hear you", { exact: true }).waitFor(WAIT);
      await panel(page).getByText("ms there and back").waitFor(WAIT);
      await panel(page).getByText("Keys they pressed").waitFor(WAIT);
      const greeting = await flite(GREETING);
      const heardHere = await spoken(() => played(page), greeting.length);
      const said = await flite(SAID);
      // It is said again and again, and the call may begin in the middle of it: two rounds have it whole.
      const heardThere = await spoken(() => softphones.heardBy(sessionId), 2 * said.length + 2 * RATE_HZ);

      await page.keyboard.press("m");
      await panel(page).getByText("Muted: they do not hear you").waitFor();
      const before = softphones.heardBy(sessionId).length;
      for (const key of ["1", "9", "*"]) await page.keyboard.press(key);
      await expect.poll(() => keysIn(softphones.heardBy(sessionId).slice(before)), HEARING).toBe("19*");
      const muted = await since(
        softphones.heardBy(sessionId).length,
        () => softphones.heardBy(sessionId),
        RATE_HZ * 3,
      );
      expect(loudness(muted.slice(RATE_HZ / 2))).toBeLessThan(LOUD / 10);
      await panel(page).getByText("You are talking, but you are muted").waitFor(WAIT);
      await page.keyboard.press("m");
      await panel(page).getByText("They hear you", { exact: true }).waitFor(WAIT);

      await page.getByLabel("Notes about this call").fill("Two loaves for Monday.");
      await page.getByText("Saved", { exact: true }).waitFor(WAIT);
      await button(page, "Hang up").click();
      await ending(page).getByText("You hung up. It lasted").waitFor(WAIT);
      await softphones.telephony.untilStatus(sessionId, "completed");
      const { left, right } = await softphones.recordingOf(sessionId);
      expect(loudness(left)).toBeGreaterThan(LOUD);
      expect(loudness(right)).toBeGreaterThan(LOUD);
      await page.getByRole("link", { name: "Open call" }).click();
      await heading(page, `Call with ${phoneText(to)}`);
      expect(await page.getByLabel("Notes about this call").inputValue()).toBe("Two loaves for Monday.");
      // Recognizing takes longer than the person on the phone waits.
      expect(wordsFound(GREETING, await recognize(heardHere))).toBeGreaterThanOrEqual(ENOUGH);
      expect(wordsFound(SAID, await recognize(heardThere))).toBeGreaterThanOrEqual(ENOUGH);
    });

    test("on hold neither hears the other, and both go on afterwards", async () => {
      const say: PhoneStep = { do: "say", text: GREETING };
      const page = await pages.open();
      await call(page, softphones.phone([say, say, say, say, say, STAY]));
      await expect.poll(async () => loudness(await played(page)), HEARING).toBeGreaterThan(LOUD);
      await button(page, "Hold").click();
      await panel(page).getByText("On hold: neither of you hears the other").waitFor();
      // What the gateway had sent ahead is still played.
      const before = (await played(page)).length + RATE_HZ;
      const held = await since(before, () => played(page), RATE_HZ * 2);
      expect(loudness(held)).toBeLessThan(LOUD / 10);
      await button(page, "Hold").click();
      const resumed = (await played(page)).length;
      await expect
        .poll(async () => loudness((await played(page)).slice(resumed)), HEARING)
        .toBeGreaterThan(LOUD);
      await button(page, "Hang up").click();
      await ending(page).waitFor();
    });

    test("one Escape hangs nobody up, two do; other pages show the call meanwhile", async () => {
      const page = await pages.open();
      const to = softphones.phone([STAY]);
      await call(page, to);
      const sessionId = await pages.sessionOf(to);
      await page.keyboard.press("Escape");
      await page.getByText("Press Esc again to hang up").waitFor();
      await page.getByText("Press Esc again to hang up").waitFor({ state: "hidden" });
      await panel(page).getByText("Connected", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Calls", exact: true }).click();
      await heading(page, "Calls");
      const strip = page.getByRole("region", { name: "Your call" });
      await strip.getByText("Connected").waitFor();
      await strip.getByRole("link", { name: "Back to the call" }).click();
      await panel(page).press("Escape");
      await page.keyboard.press("Escape");
      await ending(page).waitFor(WAIT);
      await softphones.telephony.untilStatus(sessionId, "completed");
      // The next number can be typed at once.
      await page.keyboard.type("+4319346611");
      await page.getByText("Calls +4319346611.").waitFor();
    });

    test("a page without its microphone says why and what to do, and calls nobody", async () => {
      const to = softphones.phone([STAY]);
      const page = await pages.open(PATH, {}, "refused");
      await dial(page, to);
      await ending(page).getByText("The microphone is blocked").waitFor(WAIT);
      await ending(page).getByText("Nobody was called").waitFor();
      await expect(pages.sessionOf(to)).rejects.toThrow();
      await button(page, "Call and only listen").click();
      await panel(page).getByText("They do not hear you: no microphone").waitFor(WAIT);
      await panel(page).getByText("Connected", { exact: true }).waitFor(WAIT);
      await button(page, "Hang up").click();
      await ending(page).getByText("It lasted").waitFor(WAIT);
    });

    test("what cannot be called is told apart: no number, an engaged line, a refusal", async () => {
      const page = await pages.open(`${PATH}?to=bakery`);
      await heading(page, "Softphone");
      await ownNumbersLoaded(page);
      await page.getByLabel("Number to call").press("Enter");
      await page.getByRole("alert").getByText("not a telephone number").waitFor();
      await dial(page, softphones.phone([], { outcome: "busy" }));
      await ending(page).getByText("The line was busy").waitFor(WAIT);
      await dial(page, softphones.phone([], { outcome: "refuses" }));
      await ending(page).getByText("not in service").waitFor(WAIT);
    });

    test("a page loaded again in mid-call offers to take it over, and both hear each other again", async () => {
      const say: PhoneStep = { do: "say", text: GREETING };
      const page = await pages.open();
      const to = softphones.phone([{ do: "wait", ms: 4_000 }, say, say, say, say, STAY]);
      await call(page, to);
      const sessionId = await pages.sessionOf(to);
      await page.reload();
      await page.getByText("You are in a call with").waitFor(WAIT);
      await button(page, "Take over call").click();
      await panel(page).getByText("Connected", { exact: true }).waitFor(WAIT);
      await expect.poll(async () => loudness(await played(page)), HEARING).toBeGreaterThan(LOUD);
      const from = softphones.heardBy(sessionId).length;
      await expect
        .poll(() => loudness(softphones.heardBy(sessionId).slice(from)), HEARING)
        .toBeGreaterThan(LOUD);
      const other = await pages.open();
      await button(other, "Take over call").click(WAIT);
      await panel(other).getByText("Connected", { exact: true }).waitFor(WAIT);
      await ending(page).getByText("The call goes on on another device").waitFor(WAIT);
      await button(other, "Hang up").click();
      await ending(other).waitFor(WAIT);
    });

    test("a caller is handed over by keyboard", async () => {
      const page = await pages.open();
      await call(page, softphones.phone([STAY]));
      await page.keyboard.press("t");
      await page.keyboard.type("202 555");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByText("too few or too many digits").waitFor();
      await page.getByLabel("Number to hand over to").fill(softphones.phone([STAY]));
      await page.keyboard.press("Enter");
      await ending(page).getByText("The call was handed over").waitFor(WAIT);
    });

    test("what is typed before the form to hand over to is there is no key for the phone, and ends no call", async () => {
      const page = await pages.open();
      const form = Promise.withResolvers<void>();
      await page.route("**/assets/dialog-box*", async (route) => {
        await form.promise;
        await route.continue();
      });
      await call(page, softphones.phone([STAY]));
      await page.keyboard.press("t");
      await page.keyboard.type("202");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      form.resolve();
      await page.getByLabel("Number to hand over to").waitFor();
      await page.keyboard.press("Escape");
      await panel(page).getByText("Connected", { exact: true }).waitFor();
      expect(await panel(page).getByText("Keys you sent").count()).toBe(0);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await ending(page).waitFor(WAIT);
    });

    test("whoever is handed over to nobody is back, and both hear each other again", async () => {
      const page = await pages.open();
      const again: PhoneStep[] = Array.from({ length: 5 }, () => [LATER, SAYS]).flat();
      const to = softphones.phone([...again, STAY]);
      await call(page, to);
      const engaged = softphones.phone([], { outcome: "busy" });
      await page.keyboard.press("t");
      await page.getByLabel("Number to hand over to").fill(engaged);
      await page.keyboard.press("Enter");
      const told = panel(page).getByRole("alert").getByText("Nobody took it");
      await told.waitFor(WAIT);
      expect(await told.textContent()).toMatch(/was busy\. You are connected again\.$/);
      await panel(page).getByText("Connected", { exact: true }).waitFor(WAIT);
      await picture(page, "came-back");
      const sessionId = await pages.sessionOf(to);
      const [here, there] = [(await played(page)).length, softphones.heardBy(sessionId).length];
      const since = async () => [
        (await played(page)).slice(here),
        softphones.heardBy(sessionId).slice(there),
      ];
      await expect
        .poll(async () => Math.min(...(await since()).map(loudness)), HEARING)
        .toBeGreaterThan(LOUD);
      await page.keyboard.press("t");
      await page.getByLabel("Number to hand over to").fill(softphones.phone([STAY]));
      await page.keyboard.press("Enter");
      await ending(page).getByText("The call was handed over").waitFor(WAIT);
    });

    test("the microphone is tried before the first call", async () => {
      const page = await pages.open();
      await page.getByRole("button", { name: /Test microphone|Allow and test/ }).click();
      await page.getByText("It hears you").waitFor(WAIT);
      const names = await page.getByLabel("Microphone", { exact: true }).locator("option").allTextContents();
      expect(names.length).toBeGreaterThan(1);
      await page.getByLabel("Microphone", { exact: true }).selectOption({ index: 1 });
      await page.reload();
      await expect.poll(() => page.getByLabel("Microphone", { exact: true }).inputValue(), WAIT).not.toBe("");
    });

    test.for([1280, 390])("axe finds nothing in light and in dark, and all fits: %i wide", async (width) => {
      const page = await pages.open(PATH, { viewport: { width, height: 900 } });
      await page.getByRole("heading", { name: "Recent calls" }).waitFor();
      await ownNumbersLoaded(page);
      await isFine(page, "idle");
      await call(
        page,
        softphones.phone([LATER, { do: "press", keys: "42" }, { do: "say", text: GREETING }, STAY]),
      );
      await button(page, "Keypad").click();
      await panel(page)
        .getByText(/^(Good|Fair|Poor|Bad)$/)
        .first()
        .waitFor(WAIT);
      await panel(page).getByText("Keys they pressed").waitFor(WAIT);
      await isFine(page, "in-a-call");
      await button(page, "Transfer").click();
      await isFine(page, "transfer");
      await button(page, "Stay in the call").click();
      await pages.agent.ring([STAY]);
      await page.getByText("Call waiting").waitFor(WAIT);
      await isFine(page, "waiting");
      await page.keyboard.press("Alt+KeyR");
      await page.getByText("Call waiting").waitFor({ state: "hidden", ...WAIT });
      await button(page, "Hang up").click();
      await ending(page).waitFor(WAIT);
      await isFine(page, "afterwards");
    });
  },
);
