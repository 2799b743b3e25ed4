import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { phoneText } from "../dashboard/ui/phone-text.ts";
import type { BrainTurn } from "../testkit/brain.ts";
import { TestCaller } from "../testkit/caller.ts";
import { heading, signIn, TestDashboard } from "../testkit/dashboard.ts";
import { isFine } from "../testkit/fine-page.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestPerson } from "../testkit/person.ts";
import { OUR_NUMBER, TestTelephony } from "../testkit/telephony.ts";
import { uploadTrack } from "../testkit/tracks.ts";

const WAIT = { timeout: 90_000 };
const GREETING = "Hello. How may I help?";
const QUESTION = "When are you open?";

describe.runIf(needs("chromium"))("live calls in a browser", () => {
  let dashboard: TestDashboard;
  let telephony: TestTelephony;
  let developer: TestPerson;
  let viewer: TestPerson;
  /** What answers each question; the test's own. */
  let answer: (turn: BrainTurn) => void;

  beforeAll(async () => {
    const over = await TestDashboard.over((pagesDir) =>
      TestTelephony.start({
        pagesDir,
        brain: (turn) => answer(turn),
        settings: { firstResponse: GREETING, recording: true },
      }),
    );
    dashboard = over.dashboard;
    telephony = over.product;
    const { orgId } = telephony.organization;
    developer = await memberOnly(dashboard.api, orgId, "developer");
    viewer = await memberOnly(dashboard.api, orgId, "viewer");
  });
  afterAll(() => dashboard.close());

  const list = (page: Page) => page.getByRole("region", { name: "Calls under way" });
  const log = (page: Page) => page.getByRole("log", { name: "What is said" });
  const events = (page: Page) => page.getByRole("region", { name: "Events" });

  test("a call appears, is read while it is spoken, and is ended from the page", async () => {
    let asked: BrainTurn | undefined;
    answer = (turn) => {
      asked = turn;
      turn.token("We are open ");
      turn.token("from nine to five every day. ");
    };
    const page = await dashboard.openAs(developer.email, "/live");
    await page.getByText("No live calls.").waitFor();
    const to = telephony.phone("+12025550150", {
      ringMs: 3_000,
      outcome: "answers",
      steps: [
        { do: "listen", quietMs: 1_500, withinMs: 10_000 },
        { do: "press", keys: "5" },
        { do: "say", text: QUESTION },
        { do: "wait", ms: 60_000 },
      ],
    });
    const { sessionId } = await telephony.dial(to);
    await list(page).getByText("Ringing").waitFor();
    await list(page)
      .getByRole("link", { name: phoneText(to) })
      .click();
    await list(page).getByText("Live", { exact: true }).waitFor(WAIT);
    await log(page).getByText(`Agent: ${GREETING}`).waitFor(WAIT);
    await events(page).getByText("Callee pressed 5").waitFor(WAIT);
    await log(page).getByText(`Callee: ${QUESTION}`).waitFor(WAIT);
    await page.locator(".live-open").getByText("We are open").waitFor(WAIT);
    await list(page).getByText("Agent speaks").waitFor();
    asked?.control({
      event: "tool",
      name: "find_hours",
      arguments: {},
      result: {},
      status: "success",
      latencyMs: 9,
    });
    asked?.done();
    await log(page).getByText("Agent: We are open from nine to five every day.").waitFor(WAIT);
    await page.locator(".live-open").waitFor({ state: "detached" });
    await page.getByRole("img", { name: /^Turn 1: response after/ }).waitFor();
    await events(page)
      .getByText(/^Tool find_hours in turn \d: success after 9 ms$/)
      .waitFor(WAIT);

    await page.getByRole("button", { name: "End call" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End call" }).click();
    await page.getByText(/^Ended by an operator or the API, after 0:/).waitFor(WAIT);
    await page.getByText("No live calls.").waitFor(WAIT);
    expect((await telephony.record(sessionId)).endReason).toBe("api_request");
    await page.getByRole("link", { name: "Open call" }).click();
    await heading(page, "Call with Anna");
    await page.locator(".axis-waves canvas").first().waitFor();
    await events(page).getByText("Ended by an operator or the API").waitFor();
  });

  test("a lost connection is told, and what was said meanwhile is added", async () => {
    answer = (turn) => {
      turn.token(`You said ${turn.request.query}.`);
      turn.done();
    };
    const caller = await webCall();
    const page = await dashboard.openAs(viewer.email, `/calls/${caller.sessionId}`);
    await heading(page, "Call with Anna");
    await log(page).getByText(`Agent: ${GREETING}`).waitFor(WAIT);
    await page.context().setOffline(true);
    await page.getByText("Connection lost").waitFor(WAIT);
    caller.send({ type: "text", text: "One" });
    await caller.said("assistant");
    await caller.said("assistant");
    expect(await log(page).getByText("You said One.").count()).toBe(0);
    await page.context().setOffline(false);
    await log(page).getByText("Agent: You said One.").waitFor(WAIT);
    await page.getByText("Connection lost").waitFor({ state: "detached", ...WAIT });
    caller.send({ type: "text", text: "Two" });
    await log(page).getByText("Agent: You said Two.").waitFor(WAIT);
    expect(await log(page).getByText("You said One.").count()).toBe(1);
  });

  test("who only views reads along, and is told why there is nothing to press", async () => {
    const caller = await webCall();
    const page = await dashboard.openAs(viewer.email, `/live?call=${caller.sessionId}`);
    await log(page).getByText(`Agent: ${GREETING}`).waitFor(WAIT);
    await page.getByText("Ending and transferring calls needs the role").waitFor();
    expect(await page.getByRole("button", { name: "End call" }).count()).toBe(0);
  });

  test("a manual call is played a file, and is transferred, from the page", async () => {
    const { orgId, keys } = telephony.organization;
    const track = Buffer.from(encodeWav(new Int16Array(2 * 16_000), 16_000));
    await uploadTrack(dashboard.api, { orgId, key: keys.owner, wav: track, name: "Hold music" });
    const wav = Buffer.from(encodeWav(new Int16Array(3 * 16_000), 16_000));
    const files = createServer((_, response) => response.end(wav)).listen(0, "127.0.0.1");
    await once(files, "listening");
    onTestFinished(() => void files.close());
    const steps = [{ do: "wait", ms: 60_000 }] as const;
    const to = telephony.phone("+12025550160", { ringMs: 100, outcome: "answers", steps });
    const elsewhere = telephony.phone("+12025550161", { ringMs: 100, outcome: "answers", steps: [] });
    const placed = await telephony.request("POST", "/api/sessions/init-manual-call", {
      to,
      from: OUR_NUMBER,
    });
    const { sessionId } = placed.body.data as { sessionId: string };
    const page = await dashboard.openAs(developer.email, `/live?call=${sessionId}`);
    await page.getByRole("heading", { name: `Call with ${phoneText(to)}` }).waitFor();
    await page.getByText("Calls between people are not transcribed.").waitFor();
    await page.getByRole("button", { name: "Play a file" }).click();
    await page.getByLabel("Track").selectOption("Hold music (0:02)");
    await page.getByRole("dialog").getByRole("button", { name: "Play" }).click();
    await page.getByText("It is being played, 0:02 long.").waitFor(WAIT);
    await page.getByRole("button", { name: "Play a file" }).click();
    await page.getByLabel("Track").selectOption("A file from elsewhere…");
    const { port } = files.address() as AddressInfo;
    await page.getByLabel("Address of the file").fill(`http://127.0.0.1:${port}/hold.wav`);
    await page.getByRole("dialog").getByRole("button", { name: "Play" }).click();
    await page.getByText("It is being played, 0:03 long.").waitFor(WAIT);
    await page.getByRole("button", { name: "Transfer" }).click();
    await page.getByLabel("To", { exact: true }).fill("0404");
    await page.getByRole("dialog").getByRole("button", { name: "Transfer" }).click();
    await page.getByRole("dialog").getByText("must be E.164").waitFor();
    await page.getByLabel("To", { exact: true }).fill(elsewhere);
    await page.getByRole("dialog").getByRole("button", { name: "Transfer" }).click();
    await page.getByText(/^Transferred, after/).waitFor(WAIT);
  });

  test("thirty calls at once are listed, and each is read as soon as it is chosen", async () => {
    const CALLS = 30;
    answer = (turn) => {
      turn.token("Yes. And so on. ".repeat(20));
      turn.done();
    };
    const page = await dashboard.openAs(developer.email, "/live");
    await heading(page, "Live calls");
    await Promise.all(
      Array.from({ length: CALLS }, async () => {
        const caller = await webCall();
        caller.send({ type: "text", text: "Go on" });
      }),
    );
    await page.getByText(`${CALLS} calls are under way.`).waitFor(WAIT);
    await expect.poll(() => list(page).getByText("Agent speaks").count(), WAIT).toBeGreaterThan(1);
    const rows = await list(page).getByRole("listitem").elementHandles();
    expect(rows).toHaveLength(CALLS);
    for (const index of [0, 12, 29]) {
      const link = list(page).getByRole("link").nth(index);
      await link.click();
      await log(page).getByText("Caller: Go on").waitFor();
      expect(await link.getAttribute("aria-current")).toBe("page");
    }
    // A list that was built again with each word would be slow.
    const isDrawn = await Promise.all(rows.map((row) => row.evaluate(({ isConnected }) => isConnected)));
    expect(isDrawn).toEqual(rows.map(() => true));
  });

  test.for([1280, 390])("axe finds nothing in light and in dark, and all fits: %i wide", async (width) => {
    answer = (turn) => {
      turn.token("You will find us in the old town. ");
      // Somebody who begins to read along later finds words that come in, too.
      const timer = setInterval(() => turn.token("Go on along the river. "), 500);
      void turn.aborted.then(() => clearInterval(timer));
    };
    const [caller] = [await webCall(), await webCall()];
    caller.send({ type: "dtmf", digit: "5" });
    caller.send({ type: "text", text: "Where are you?" });
    const page = await dashboard.open(`/live?call=${caller.sessionId}`, { width });
    await signIn(page, developer.email);
    await page.locator(".live-open").waitFor(WAIT);
    await events(page).getByText("Caller pressed 5").waitFor(WAIT);
    await log(page).getByText("Caller: Pressed 5").waitFor(WAIT);
    await isFine(page, "a call that goes on");
    await page.getByRole("button", { name: "End call" }).click();
    await isFine(page, "a call about to be ended");
    await page.getByRole("dialog").getByRole("button", { name: "End call" }).click();
    await page.getByText(/^Ended by an operator or the API, after 0:/).waitFor(WAIT);
    await isFine(page, "a call that has ended");
  });

  /** A browser's call that goes on until the test is over. */
  async function webCall(): Promise<TestCaller & { readonly sessionId: string }> {
    const body = { agentId: telephony.organization.agentId };
    const answered = await telephony.request("POST", "/api/sessions/init-web-call", body);
    const { sessionId, websocketUrl } = answered.body.data as { sessionId: string; websocketUrl: string };
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    onTestFinished(async () => {
      caller.send({ type: "hangup" });
      await telephony.untilStatus(sessionId, "completed");
    });
    return Object.assign(caller, { sessionId });
  }
});
