// Real time: a browser's microphone and loudspeaker run at the rate of speech.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { bestCorrelation, envelope, joined, silence, tone } from "../testkit/audio-fixtures.ts";
import { FakeCallServer, type FakeCallServerOptions } from "../testkit/fakes/fake-call-server.ts";
import { headlessChromiumPath, needs } from "../testkit/needs.ts";
import { builtPages } from "../testkit/pages.ts";
import { flite } from "../testkit/speech.ts";
import { TalkBrowser } from "../testkit/talk-browser.ts";

const ENVELOPE_MS = 50;

describe.runIf(needs("chromium"))("the talk page in a browser", () => {
  let distDirectory: string;
  let speech: Int16Array;
  let speaking: TalkBrowser;
  let refusing: TalkBrowser;

  beforeAll(async () => {
    const executablePath = headlessChromiumPath() ?? "";
    speech = await flite("I would like to book a table for two people tomorrow evening.");
    const microphone = joined(silence(1500), speech, silence(60_000));
    distDirectory = await builtPages();
    speaking = await TalkBrowser.launch({ executablePath, microphone });
    refusing = await TalkBrowser.launch({ executablePath, microphone: "refused" });
  });

  afterAll(async () => {
    await speaking.close();
    await refusing.close();
  });

  async function visit(browser: TalkBrowser, options: FakeCallServerOptions = {}) {
    const server = await FakeCallServer.start({ distDirectory, ...options });
    const page = await browser.open(`${server.url}/talk`);
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    onTestFinished(async () => {
      await page.context().close();
      await server.close();
      expect(faults).toEqual([]);
    });
    return { server, page };
  }

  async function call(browser: TalkBrowser, options: FakeCallServerOptions = {}) {
    const { server, page } = await visit(browser, options);
    await page.getByRole("button", { name: "Start talking" }).click();
    const far = await server.nextCall();
    await page.getByRole("button", { name: "Hang up" }).waitFor();
    return { server, page, far };
  }

  test("the microphone arrives as 20 ms messages of 16 kHz speech at the rate of real time", async () => {
    const { far } = await call(speaking);
    await far.until(() => far.audio.length >= 300);
    expect(far.audio.every(({ samples }) => samples.length === 320)).toBe(true);
    const heard = far.audio.slice(0, 300);
    const tookMs = heard.at(-1)!.atMs - heard[0]!.atMs;
    // Sound that was not brought from the 48 or 44.1 kHz of a microphone to 16 kHz comes three times as fast.
    expect(tookMs / (299 * 20)).toBeGreaterThan(0.5);
    expect(tookMs / (299 * 20)).toBeLessThan(2);
    const likeness = bestCorrelation(
      envelope(joined(...heard.map(({ samples }) => samples)), ENVELOPE_MS),
      envelope(speech, ENVELOPE_MS),
    );
    expect(likeness).toBeGreaterThan(0.6);
  });

  test("agent audio is played in real time, and its mark comes back when it was heard", async () => {
    const { far } = await call(speaking);
    const startedMs = performance.now();
    far.send({ type: "state", state: "speaking" });
    await far.playAudio(tone(440, 1000));
    far.send({ type: "mark", name: "greeting" });
    expect(await far.next("mark")).toEqual({ type: "mark", name: "greeting" });
    expect(performance.now() - startedMs).toBeGreaterThan(1000);
  });

  test("a clear silences the agent at once and tells how much was heard", async () => {
    const { far } = await call(speaking);
    far.send({ type: "state", state: "speaking" });
    far.sendAudio(tone(440, 800));
    far.send({ type: "mark", name: "first" });
    far.sendAudio(tone(440, 8000));
    far.send({ type: "mark", name: "last" });
    await far.next("mark");
    far.send({ type: "clear" });
    const { playedMs } = await far.next("clear");
    expect(playedMs).toBeGreaterThanOrEqual(780);
    expect(playedMs).toBeLessThan(8800);
    far.send({ type: "mark", name: "after" });
    expect(await far.next("mark")).toEqual({ type: "mark", name: "after" });
  });

  test("a refused microphone is said in plain words, and typing works", async () => {
    const { page, far } = await call(refusing);
    await page.getByText("The microphone is blocked. Allow it in the address bar, or type below.").waitFor();
    await page.getByLabel("Type what you want to say").fill("a table for two");
    await page.keyboard.press("Enter");
    expect(await far.next("text")).toEqual({ type: "text", text: "a table for two" });
    expect(await page.getByLabel("Type what you want to say").inputValue()).toBe("");
    expect(far.audio).toEqual([]);
  });

  test("a dropped socket resumes by itself and the page says so meanwhile", async () => {
    const { page, far, server } = await call(speaking);
    far.drop();
    const second = await server.nextSocket();
    expect(await second.next("start")).toMatchObject({ resume: "resume-token" });
    await page.getByText("The connection dropped.").waitFor();
    second.drop();
    const third = await server.nextCall();
    await page.getByText("The connection dropped.").waitFor({ state: "detached" });
    await third.until(() => third.audio.length > 5);
  });

  test("the transcript shows partial text, and reads only final lines aloud", async () => {
    const { page, far } = await call(speaking);
    far.send({ type: "transcript", role: "user", text: "I would like", final: false, turn: 1 });
    const open = page.getByText("I would like");
    await open.waitFor();
    expect(await open.getAttribute("aria-hidden")).toBe("true");
    far.send({ type: "transcript", role: "user", text: "I would like tea.", final: true, turn: 1 });
    far.send({ type: "transcript", role: "assistant", text: "Green or", final: true, turn: 1 });
    await page.getByText("Green or").waitFor();
    const log = page.getByRole("log");
    expect(await log.getAttribute("aria-live")).toBe("polite");
    expect(await log.getByRole("listitem").allTextContents()).toEqual([
      "You: I would like tea.",
      "Ada: Green or",
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("the face says whose turn it is", async () => {
    const { page, far } = await call(speaking);
    far.send({ type: "state", state: "thinking" });
    await page.getByText("Ada is thinking").waitFor();
    far.send({ type: "state", state: "speaking" });
    await page.getByText("Ada is speaking").waitFor();
    far.send({ type: "state", state: "listening" });
    await page.getByText("You are speaking").waitFor();
  });

  test("each turn's latency is a bar that a screen reader can read, and a row of a table", async () => {
    const { page, far } = await call(speaking);
    const turn = {
      endOfTurnMs: 412,
      brainRequestMs: 0,
      brainFirstTokenMs: 218,
      firstClauseMs: 0,
      ttsFirstByteMs: 96,
      responseMs: 760,
    };
    far.send({ type: "metrics", turn: 1, ...turn });
    const spoken = "Turn 1: response after 760 milliseconds (end of turn 412, brain 218, voice 96, rest 34).";
    await page.getByRole("img", { name: spoken }).waitFor();
    await page.getByText("Show data table").click();
    const row = page.getByRole("row", { name: "1" }).filter({ hasText: "760" });
    expect(await row.getByRole("cell").allInnerTexts()).toEqual(["412", "0", "218", "0", "96", "760"]);
  });

  test("the keypad sends keys, by click and by keyboard", async () => {
    const { page, far } = await call(speaking);
    await page.getByRole("button", { name: "Keypad" }).click();
    await page.getByRole("button", { name: "5", exact: true }).click();
    expect(await far.next("dtmf")).toEqual({ type: "dtmf", digit: "5" });
    await page.keyboard.press("#");
    expect(await far.next("dtmf")).toEqual({ type: "dtmf", digit: "#" });
    await page.getByText("pressed 5#").waitFor();
  });

  test("mute sends silence, so that the call's clock goes on", async () => {
    const { page, far } = await call(speaking);
    const isLoud = () =>
      far.audio.slice(-5).some(({ samples }) => samples.some((sample) => Math.abs(sample) > 500));
    await far.until(isLoud);
    await page.getByRole("button", { name: "Mute" }).click();
    const mutedAt = far.audio.length;
    await far.until(() => far.audio.length > mutedAt + 50);
    expect(far.audio.slice(-25).every(({ samples }) => samples.every((sample) => sample === 0))).toBe(true);
    await page.getByText("You are muted").waitFor();
    await page.getByRole("button", { name: "Mute", pressed: true }).click();
    await page.getByRole("button", { name: "Mute", pressed: false }).waitFor();
  });

  test("hanging up ends the call, and the reason is said", async () => {
    const { page, far } = await call(speaking);
    await page.getByRole("button", { name: "Hang up" }).click();
    await far.next("hangup");
    far.send({ type: "ended", reason: "hangup" });
    far.close(1000);
    await page.getByText("You hung up.").waitFor();
    await page.getByRole("button", { name: "Call again" }).click();
  });

  test("without a demo agent the page asks for a call URL and calls it", async () => {
    const { page, server } = await visit(speaking, { session: "absent" });
    await page.getByRole("button", { name: "Start talking" }).click();
    await page.getByText("There is no demo agent here.").waitFor();
    await page.getByLabel("Call URL").fill("http://wrong");
    await page.getByRole("button", { name: "Start talking" }).click();
    await page.getByText("A call URL begins with ws:// or wss://.").waitFor();
    await page.getByLabel("Call URL").fill(server.websocketUrl);
    await page.getByRole("button", { name: "Type instead" }).click();
    await (await server.nextCall()).until(() => true);
    await page.getByRole("button", { name: "Hang up" }).waitFor();
  });

  test("a link can carry the call URL, and nothing is called before a button is pressed", async () => {
    const { page, server } = await visit(speaking);
    await page.goto(`${server.url}/talk#url=${encodeURIComponent(server.websocketUrl)}`);
    await page.reload();
    expect(await page.getByLabel("Call URL").inputValue()).toBe(server.websocketUrl);
    await page.getByRole("button", { name: "Start talking" }).click();
    await server.nextCall();
  });

  test("a server's refusal and a full server are told in words", async () => {
    const refused = await visit(speaking, { session: "refusing" });
    await refused.page.getByRole("button", { name: "Start talking" }).click();
    await refused.page.getByText("The server refused the call. The speech vendor is not set up.").waitFor();
    const full = await visit(speaking);
    full.server.refuseWith(1013);
    await full.page.getByRole("button", { name: "Start talking" }).click();
    await full.page.getByText("All lines are busy.").waitFor();
  });

  test("audio devices that do not start keep no call from beginning", async () => {
    const { page, server } = await visit(speaking);
    await page.addInitScript(() => {
      AudioContext.prototype.resume = () => new Promise(() => undefined);
    });
    await page.reload();
    await page.getByRole("button", { name: "Start talking" }).click();
    await server.nextCall();
    await page.getByRole("button", { name: "Hang up" }).waitFor();
  });

  test("audio code that is not loaded keeps no call from beginning, and the page says what is missing", async () => {
    const { page, server } = await visit(refusing);
    await page.addInitScript(() => {
      AudioWorklet.prototype.addModule = () => new Promise(() => undefined);
    });
    await page.reload();
    await page.getByRole("button", { name: "Start talking" }).click();
    await server.nextCall();
    await page.getByRole("button", { name: "Hang up" }).waitFor();
    await page.getByText("This browser cannot play the agent").waitFor();
  });

  test("a call works by keyboard alone", async () => {
    const { page, server } = await visit(refusing);
    await tabTo(page, "Start talking");
    await page.keyboard.press("Enter");
    const far = await server.nextCall();
    await page.getByRole("button", { name: "Hang up" }).waitFor();
    expect(await focusedName(page)).toBe("Hang up");
    await tabTo(page, "Type what you want to say");
    await page.keyboard.type("hello");
    await page.keyboard.press("Enter");
    expect(await far.next("text")).toEqual({ type: "text", text: "hello" });
    // Backwards: after the last control the focus would leave the page for the browser's own buttons.
    await tabTo(page, "Hang up", "Shift+Tab");
    await page.keyboard.press("Enter");
    await far.next("hangup");
  });

  test("every control has a name, ids are unique, and nothing is wider than a small screen", async () => {
    const { page, far } = await call(speaking);
    far.send({
      type: "metrics",
      turn: 1,
      endOfTurnMs: 1,
      brainRequestMs: 0,
      brainFirstTokenMs: 1,
      firstClauseMs: 0,
      ttsFirstByteMs: 1,
      responseMs: 9000,
    });
    await page.getByText("Show data table").click();
    await page.getByRole("button", { name: "Keypad" }).click();
    for (const width of [320, 768, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    expect(await page.evaluate(nameless)).toEqual([]);
    expect(await page.evaluate(repeatedIds)).toEqual([]);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await page.getByRole("main").count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
  });

  test("nothing is fetched from anywhere but this server", async () => {
    const { page, server } = await visit(speaking);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.reload();
    await page.getByRole("button", { name: "Start talking" }).click();
    await server.nextCall();
    expect(requested.filter((url) => !url.startsWith(server.url))).toEqual([]);
    for (const file of ["microphone-worklet", "player-worklet"]) {
      expect(server.requestedPaths.some((path) => path.startsWith(`/assets/${file}`))).toBe(true);
    }
  });
});

/** Presses Tab until the control with this name has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const MAX_STOPS = 30;
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press(key);
    if ((await focusedName(page)) === name) return;
  }
  throw new Error(`Tab never reached "${name}"`);
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | HTMLButtonElement | null;
    return `${element?.labels?.[0]?.textContent ?? ""}${element?.textContent ?? ""}`.trim();
  });
}

/** Controls without a name. Runs in the page. */
function nameless(): string[] {
  const controls = [
    ...document.querySelectorAll<HTMLInputElement>("button, input, summary, a, [role=button]"),
  ];
  return controls
    .filter((control) => {
      const label = control.labels?.[0]?.textContent ?? "";
      return `${control.getAttribute("aria-label") ?? ""}${control.textContent}${label}`.trim() === "";
    })
    .map((control) => control.outerHTML);
}

/** Ids used more than once. Runs in the page. */
function repeatedIds(): string[] {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}
