import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { TestChats } from "../testkit/chat.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { type KeptCall, keepCall } from "../testkit/kept-call.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import type { TestPerson } from "../testkit/person.ts";
import { ANSWER, AT_MS, keepSpokenCall, QUESTION, TOOL_MS } from "../testkit/spoken-call.ts";

const WAIT = { timeout: 90_000 };
const TURNS = 500;

describe.runIf(needs("chromium"))("a call in two panes in a browser", () => {
  let dashboard: TestDashboard;
  let organization: TestOrganization;
  let viewer: TestPerson;
  let spoken: KeptCall;

  beforeAll(async () => {
    dashboard = await TestDashboard.start({ allowPrivateTargets: ["127.0.0.0/8"] });
    await dashboard.api.registerNode();
    organization = await dashboard.api.createOrganization();
    viewer = await memberOnly(dashboard.api, organization.orgId, "viewer");
    const whenever = { org_id: "", vendor: "", from_at: new Date(0), created_at: new Date(0) };
    await dashboard.api.database.db
      .insertInto("prices")
      .values([
        { id: "prc_seconds", metric: "call_seconds", micros: 600_000n, per: 60n, ...whenever },
        { id: "prc_characters", metric: "tts_characters", micros: 15_000n, per: 1_000n, ...whenever },
        { id: "prc_tokens", metric: "llm_input_tokens", micros: 2_000n, per: 1_000n, ...whenever },
      ])
      .execute();
    spoken = await keepSpokenCall(dashboard.api, organization);
  });
  afterAll(() => dashboard.close());

  const open = async ({ sessionId }: Pick<KeptCall, "sessionId">, width = 1280): Promise<Page> => {
    const page = await dashboard.openAs(viewer.email, `/calls/${sessionId}`, { width });
    await heading(page, "Call with Anna");
    return page;
  };
  const transcriptOf = (page: Page) => page.getByRole("region", { name: "Transcript" });
  const current = (page: Page) => transcriptOf(page).locator("[aria-current]");
  /** Where the cursor is, in seconds. */
  const position = (page: Page) =>
    page
      .getByRole("slider", { name: "Position in the call" })
      .evaluate((slider) => Number((slider as HTMLInputElement).value));
  /** Where something begins on the axis, in seconds, by the pixels it stands at; `share` of its width later. */
  const placeOf = async (page: Page, mark: Locator, share = 0): Promise<number> => {
    const [box, lanes] = [await mark.boundingBox(), await page.locator(".axis-lanes").boundingBox()];
    const length = await page
      .getByRole("slider", { name: "Position in the call" })
      .evaluate((slider) => Number((slider as HTMLInputElement).max));
    if (!box || !lanes) throw new Error("the mark is not on the axis");
    return ((box.x + box.width * share - lanes.x) / lanes.width) * length;
  };
  /** A few pixels of the axis. */
  const NEAR_SECS = 0.05;
  const tellsOf = (turns: number) =>
    Array.from({ length: turns }, (_, turn) => ({
      afterMs: (turn + 1) * 1_000,
      event: {
        type: "call.message",
        turn: turn + 1,
        role: turn % 2 === 0 ? "user" : "assistant",
        text: `Line ${turn + 1}`,
        interrupted: false,
        source: "speech",
      },
    }));

  test("playing moves through both panes, and what is pressed in one is where the other stands", async () => {
    const page = await open(spoken);
    await page.locator(".axis-waves canvas").first().waitFor(WAIT);
    await current(page).getByText(QUESTION).waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await current(page).getByText(ANSWER).waitFor(WAIT);
    await page.getByRole("button", { name: "Play", exact: true }).waitFor(WAIT);

    await transcriptOf(page).getByText(QUESTION).click();
    await expect.poll(() => position(page)).toBe(0);
    await transcriptOf(page).getByRole("button", { name: "Go to 0:02" }).click();
    await expect.poll(() => position(page)).toBeCloseTo(AT_MS.question / 1_000, 1);
    await current(page).getByText(ANSWER).waitFor();

    const lanes = await page.locator(".axis-lanes").boundingBox();
    await page.locator(".axis-lanes").click({ position: { x: (lanes?.width ?? 0) / 10, y: 10 } });
    await current(page).getByText(QUESTION).waitFor();
    expect(await position(page)).toBeGreaterThan(0);
    await page.getByRole("slider", { name: "Position in the call" }).fill("3");
    await current(page).getByText(ANSWER).waitFor();
    const cost = page.getByRole("region", { name: "Cost" });
    await cost.getByRole("row", { name: "Total" }).waitFor(WAIT);
    expect(await cost.getByRole("row").allTextContents()).toEqual([
      expect.stringContaining("Provider"),
      "Call secondsWeb1$0.01",
      "Tokens sent to modelslarge900$0.0018",
      "Spoken charactersFlite (built in)45$0.000675",
      "Tokens written by modelslarge40$0.00",
      "Total$0.012475",
    ]);
  });

  test("the waves change their colors with the theme, on the open page", async () => {
    const page = await open(spoken);
    const wave = page.locator(".axis-waves canvas").first();
    await wave.waitFor(WAIT);
    const isDrawnIn = (token: string) => async () =>
      (await solidColors(wave)).includes(await colorOf(page, token));
    await expect.poll(isDrawnIn("--pf-success"), WAIT).toBe(true);
    const before = await colorOf(page, "--pf-success");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await colorOf(page, "--pf-success")).not.toBe(before);
    await expect.poll(isDrawnIn("--pf-success"), WAIT).toBe(true);
    await page.evaluate("document.documentElement.dataset.pfTheme = 'light'");
    await expect.poll(async () => (await solidColors(wave)).includes(before), WAIT).toBe(true);
  });

  test.each(["light", "dark"] as const)(
    "parts of an answer have one color on the page, in the %s",
    async (scheme) => {
      const page = await open(spoken);
      await page.emulateMedia({ colorScheme: scheme });
      const chart = page.locator(".talk-latency");
      await chart.waitFor(WAIT);
      const brain = (element: Element): string => getComputedStyle(element).getPropertyValue("--part-brain");
      expect(await page.locator(".call-axis").evaluate(brain)).toBe(await chart.evaluate(brain));
    },
  );

  test("tools, keys, turns and the time to answer stand on the axis where they were", async () => {
    const page = await open(spoken);
    await page.locator(".axis-waves canvas").first().waitFor(WAIT);
    const tool = page.locator(".axis-tools [data-tip^=find_parcel]");
    expect(await placeOf(page, tool)).toBeCloseTo((AT_MS.tool - TOOL_MS) / 1_000, 1);
    // A mark of an instant has its middle there.
    const key = page.locator(".axis-events [data-tip$='Caller pressed 7']");
    expect(Math.abs((await placeOf(page, key, 0.5)) - AT_MS.key / 1_000)).toBeLessThan(NEAR_SECS);
    // That of the beginning is whole, too.
    expect(await placeOf(page, page.locator(".axis-events i").first())).toBeGreaterThanOrEqual(0);
    // The turn was decided on 2,000 ms after its start, and 420 ms after the caller's last sound.
    const response = page.locator(".axis-responses [data-tip='Turn 1: answered after 640 ms']");
    expect(Math.abs((await placeOf(page, response)) - 1.58)).toBeLessThan(NEAR_SECS);
    await page
      .getByRole("region", { name: "Events" })
      .getByRole("button", { name: "Go to 0:02" })
      .last()
      .click();
    await expect.poll(() => position(page)).toBeCloseTo(AT_MS.key / 1_000, 2);
    const before = await placeOf(page, tool);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: "Zoom in" }).click();
    expect(Math.abs((await placeOf(page, tool)) - before)).toBeLessThan(NEAR_SECS);
  });

  test("keys go by turn and play, and the page says which", async () => {
    const call = await keepCall(dashboard.api, organization, {
      said: [],
      happened: tellsOf(4),
      durationMs: 5_000,
    });
    const page = await open(call);
    await page.locator(".axis-waves canvas").first().waitFor(WAIT);
    await page.getByText("Keyboard shortcuts").click();
    await page.getByText("Next or previous turn").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Transcript" }).click();
    await page.keyboard.press("j");
    await current(page).getByText("Line 2").waitFor();
    await page.keyboard.press("j");
    await current(page).getByText("Line 3").waitFor();
    expect(await position(page)).toBeCloseTo(2, 1);
    await page.keyboard.press("k");
    await current(page).getByText("Line 2").waitFor();

    const line = transcriptOf(page).getByRole("button", { name: "Go to 0:01" });
    await line.focus();
    await page.keyboard.press("ArrowDown");
    await current(page).getByText("Line 3").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Go to 0:02");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await current(page).getByText("Line 1").waitFor();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  });

  test("keys are read as pressed, and the record keeps them as the brain was asked", async () => {
    const call = await keepCall(dashboard.api, organization, { said: ["DTMF: 42#"] });
    const page = await open(call);
    await transcriptOf(page).getByText("Caller: Pressed 42#").waitFor(WAIT);
    expect(await page.getByText("DTMF").count()).toBe(0);
    const record = await dashboard.api.call("GET", `/api/v1/calls/${call.sessionId}`, {
      key: organization.keys.owner,
    });
    expect(record.text).toContain("DTMF: 42#");
  });

  test("a call without a recording is gone through all the same", async () => {
    const call = await keepCall(dashboard.api, organization, { said: [], happened: tellsOf(3) });
    const path = `/api/orgs/${organization.orgId}/recordings/${call.recordingId}`;
    expect((await dashboard.api.call("DELETE", path, { key: organization.keys.owner })).status).toBe(200);
    const page = await open(call);
    await page.getByText("No recording").waitFor(WAIT);
    expect(await page.getByRole("button", { name: "Play" }).count()).toBe(0);
    await page.locator(".axis-user i").first().click();
    await page.keyboard.press("j");
    await current(page).getByText("Line 2").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("a chat has its axis, too, with each message where it was written", async () => {
    const chats = await TestChats.start(dashboard.api, (turn) => {
      turn.token("At nine.");
      turn.done();
    });
    onTestFinished(() => chats.close());
    const reader = await memberOnly(dashboard.api, chats.organization.orgId, "viewer");
    const { sessionId } = await chats.say("When do you open?");
    await chats.say("Thanks", { sessionId });
    const page = await dashboard.openAs(reader.email, `/calls/${sessionId}`);
    await page.getByRole("heading", { name: "Timeline" }).waitFor(WAIT);
    expect(await transcriptOf(page).getByRole("heading", { level: 3 }).count()).toBe(2);
    await page.keyboard.press("j");
    await current(page).getByText("Thanks").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("a call of 500 turns is opened, gone through and read", async () => {
    const long = await keepCall(dashboard.api, organization, {
      said: [],
      happened: tellsOf(TURNS),
      durationMs: (TURNS + 1) * 1_000,
    });
    const page = await open(long);
    await transcriptOf(page)
      .getByText(new RegExp(`Line ${TURNS}$`))
      .waitFor(WAIT);
    await page.keyboard.press("j");
    await current(page)
      .getByText(/Line 2$/)
      .waitFor();
    await transcriptOf(page)
      .getByText(/Line 400$/)
      .click();
    await expect.poll(() => position(page)).toBeCloseTo(399, 0);
    await page.keyboard.press("j");
    const line = current(page).getByText(/Line 401$/);
    await line.waitFor();
    const [shown, pane] = [await line.boundingBox(), await transcriptOf(page).boundingBox()];
    expect(shown?.y).toBeGreaterThan(pane?.y ?? 0);
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("on a wide screen the panes are beside each other, on a narrow one below", async () => {
    const page = await open(spoken);
    const places = async () => {
      const transcript = await transcriptOf(page).boundingBox();
      const axis = await page.locator(".call-axis").boundingBox();
      return { transcript: transcript ?? { x: 0, y: 0 }, axis: axis ?? { x: 0, y: 0 } };
    };
    await page.locator(".axis-waves canvas").first().waitFor(WAIT);
    const wide = await places();
    expect(wide.transcript.x).toBeLessThan(wide.axis.x);
    expect(wide.transcript.y).toBe(wide.axis.y);
    await page.setViewportSize({ width: 390, height: 844 });
    const narrow = await places();
    expect(narrow.transcript.x).toBe(narrow.axis.x);
    expect(narrow.transcript.y).toBeGreaterThan(narrow.axis.y);
  });
});

/** The colors on a canvas that nothing shines through, as `r g b`. */
function solidColors(canvas: Locator): Promise<string[]> {
  return canvas.evaluate((drawn: HTMLCanvasElement) => {
    const { data } = drawn.getContext("2d")?.getImageData(0, 0, drawn.width, drawn.height) ?? { data: [] };
    const found = new Set<string>();
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] === 255) found.add(`${data[at]} ${data[at + 1]} ${data[at + 2]}`);
    return [...found];
  });
}

/** A token of the theme, as `r g b`. */
function colorOf(page: Page, token: string): Promise<string> {
  return page.evaluate((name) => {
    const mark = document.createElement("i");
    mark.style.color = `var(${name})`;
    document.body.append(mark);
    const { color } = getComputedStyle(mark);
    mark.remove();
    return (color.match(/\d+/g) ?? []).slice(0, 3).join(" ");
  }, token);
}
