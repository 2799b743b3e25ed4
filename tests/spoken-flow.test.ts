// Real time: a caller speaks, is asked again, talks over the agent, and a recognizer hears it as it comes.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestCaller } from "../testkit/caller.ts";
import { TestChats } from "../testkit/chat.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import { TestDashboard } from "../testkit/dashboard.ts";
import { flowOf } from "../testkit/flows.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { POCKETSPHINX } from "../testkit/recognizer.ts";
import { picture } from "../testkit/softphone-pages.ts";
import { flite } from "../testkit/speech.ts";

const PAGE = { timeout: 90_000 };
const BOOKING_IT = "I am booking it.";
const BOOKED =
  "Your appointment is noted. We look forward to seeing you. Please come ten minutes early, and bring a pen.";
/** Books at the built-in shop, whose hours are from nine to five. */
const BOOK = { kind: "connector", name: "book", capability: "booking.create", confirm: false };
const ATTENDEE = { name: "Eve", email: "eve@example.com", timeZone: "UTC" };
/** Goes on with whoever wants a person. */
const PERSON = flowOf({
  here: { type: "say", text: "Grace here. {summary}", next: "bye" },
  bye: { type: "end", text: "Goodbye." },
});
const BOOKING = (personId: string) =>
  flowOf(
    {
      day: {
        ...{ type: "ask", text: "On which day?", save: "day", answer: { type: "date" } },
        ...{ next: "half", no_answer: "pass" },
      },
      half: {
        ...{ type: "ask", text: "In the morning, or in the afternoon?", save: "half" },
        answer: { type: "choice", options: [{ value: "morning" }, { value: "afternoon" }] },
        ...{ next: "book", no_answer: "pass" },
      },
      book: {
        ...{ type: "tool", tool: "book", arguments: { start: "{day}T13:00:00Z", attendee: ATTENDEE } },
        ...{ saying: BOOKING_IT, next: "booked", failed: "pass" },
      },
      booked: { type: "say", text: BOOKED, next: "more" },
      more: { type: "wait", next: "sorry" },
      pass: {
        ...{ type: "hand_off", text: "One moment.", agentId: personId, variables: ["day", "half"] },
        ...{ summary: "They come in the {half}.", failed: "sorry" },
      },
      sorry: { type: "end", text: "Please call again." },
    },
    { exits: [{ name: "A person", phrases: ["a person"], to: "pass" }] },
  );

describe.runIf(needs("pocketsphinx") && needs("chromium"))("a flow that is talked to", () => {
  let dashboard: TestDashboard;
  let api: TestControlApi;
  let chats: TestChats;
  beforeAll(async () => {
    ({ dashboard } = await TestDashboard.over(async (pagesDir) => {
      const started = await TestControlApi.start({ pagesDir });
      const { bus, keys } = started;
      const { gateway, dataDir } = await TestGateway.start({ bus, keys, env: { STT_COMMAND: POCKETSPHINX } });
      const close = async (): Promise<void> => {
        await gateway.close();
        await started.close();
        await rm(dataDir, { recursive: true, force: true });
      };
      return { api: started, close };
    }));
    ({ api } = dashboard);
    chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  });
  afterAll(async () => {
    chats.close();
    await dashboard.close();
  });

  it("books by voice with a tool, asks again, is talked over, hands to a person's agent, and ends; its way is in its record, and drawn", async () => {
    const { keys, agentId, orgId } = chats.organization;
    const brain = { kind: "flow", flow: PERSON };
    const made = await api.call("POST", "/api/agents", { key: keys.owner, body: { name: "Grace", brain } });
    const personId = String((made.body.data as { id: string }).id);
    await chats.connectShop();
    await chats.change({
      brain: { kind: "flow", flow: BOOKING(personId), tools: [BOOK] },
      stt: [{ vendor: "command" }],
      silence: { promptAfterMs: 0 },
      // This recognizer takes seconds on a busy machine; the answer waits for its words.
      turnTaking: { bargeIn: { falseAlarmMs: 10_000 } },
      waiting: { afterMs: 0 },
    });
    const body = { agentId };
    const begun = await api.call("POST", "/api/sessions/init-web-call", { key: keys.owner, body });
    const { websocketUrl, sessionId } = begun.body.data as { websocketUrl: string; sessionId: string };
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const agentSays = async () => (await caller.said("assistant")).text;
    const say = async (text: string) => caller.speak(await flite(text, "rms"), 800);

    expect(await agentSays()).toBe("On which day?");
    await say("I do not know yet");
    expect(await agentSays()).toBe("Sorry, I did not get that. On which day?");
    await say("tomorrow");
    expect(await agentSays()).toBe("In the morning, or in the afternoon?");
    await say("in the afternoon");
    await caller.next("transcript", ({ text }) => text.startsWith(`${BOOKING_IT} Your`));
    await say("Let me talk to a person");
    const cut = await agentSays();
    const whole = `${BOOKING_IT} ${BOOKED}`;
    expect(cut.length).toBeLessThan(whole.length);
    expect(whole.startsWith(cut)).toBe(true);
    expect(await agentSays()).toBe("One moment.");
    expect(await agentSays()).toBe("Grace here. They come in the afternoon. Goodbye.");
    expect(await caller.next("ended")).toMatchObject({ reason: "flow_end" });

    const record = () => chats.record(sessionId);
    await expect.poll(async () => (await record()).endReason).toBe("flow_end");
    const { path, handOffs, tools } = await record();
    const start = expect.stringMatching(/^\d{4}-\d\d-\d\dT13:00:00/);
    expect(tools).toMatchObject([
      {
        ...{ name: "book", status: "success", arguments: { start, attendee: ATTENDEE } },
        result: { booking: { id: expect.stringMatching(/^apt-/), start, status: "confirmed" } },
      },
    ]);
    expect(path).toMatchObject([
      { node: "day", agentId: null },
      { node: "half", agentId: null },
      { node: "book", agentId: null },
      { node: "booked", agentId: null },
      { node: "more", agentId: null },
      { node: "pass", agentId: null },
      { node: "here", agentId: personId },
      { node: "bye", agentId: personId },
    ]);
    expect(handOffs).toMatchObject([{ agentId: personId, summary: "They come in the afternoon." }]);

    const { email } = await memberOnly(api, orgId, "developer");
    const page = await dashboard.openAs(email, `/calls/${sessionId}`);
    const links = page.getByRole("list", { name: "Flows" }).getByRole("link");
    const way = page.getByRole("region", { name: "The call’s way" });
    const walked = page.locator(".react-flow__edge.is-walked");
    const drawn = async (nodes: readonly string[], edges: readonly string[]): Promise<void> => {
      await way.getByRole("listitem").first().waitFor(PAGE);
      await expect.poll(() => way.getByRole("listitem").allTextContents(), PAGE).toEqual(nodes);
      const labels = () => walked.evaluateAll((all) => all.map((edge) => edge.getAttribute("aria-label")));
      await expect.poll(labels, PAGE).toEqual(edges);
    };
    await links.first().click(PAGE);
    // To whom it was handed by an exit, which is drawn at no node.
    const edges = [
      ...["Next from day to half", "Next from half to book"],
      ...["Next from book to booked", "Next from booked to more"],
    ];
    await drawn(["day", "half", "book", "booked", "more", "pass"], edges);
    await way.getByRole("button", { name: "half" }).click();
    await page.getByRole("region", { name: "Node half" }).waitFor(PAGE);
    await picture(page, "flow-builder-call");
    await page.goBack();
    await links.nth(1).click(PAGE);
    await drawn(["here", "bye"], ["Next from here to bye"]);
  });
});
