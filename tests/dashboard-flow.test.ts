import { rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults, tabTo } from "../testkit/app-browser.ts";
import { TestCaller } from "../testkit/caller.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import type { TestPerson } from "../testkit/person.ts";
import { picture } from "../testkit/softphone-pages.ts";

const WAIT = { timeout: 90_000 };
const FLOW = {
  start: "hello",
  nodes: [
    { id: "hello", type: "say", text: "Salon Ada, hello." },
    { id: "day", type: "ask", text: "On which day?", save: "day", answer: { type: "date" } },
    { id: "done", type: "end", text: "See you on {day}." },
    { id: "sorry", type: "end", text: "Please call again." },
  ],
  edges: [
    { from: "hello", to: "day" },
    { from: "day", to: "done" },
    { from: "day", on: "no_answer", to: "sorry" },
  ],
};

describe.runIf(needs("chromium"))("the flow builder in a browser", () => {
  let dashboard: TestDashboard;
  let organization: TestOrganization;
  let developer: TestPerson;

  beforeAll(async () => {
    ({ dashboard } = await TestDashboard.over(async (pagesDir) => {
      const api = await TestControlApi.start({ pagesDir });
      // Whatever a rehearsal's caller says, they say that they come tomorrow.
      const env = { STT_COMMAND: "echo tomorrow" };
      const { gateway, dataDir } = await TestGateway.start({ bus: api.bus, keys: api.keys, env });
      const close = async (): Promise<void> => {
        await gateway.close();
        await api.close();
        await rm(dataDir, { recursive: true, force: true });
      };
      return { api, close };
    }));
    organization = await dashboard.api.createOrganization();
    developer = await memberOnly(dashboard.api, organization.orgId, "developer");
  });
  afterAll(() => dashboard.close());

  type Json = Record<string, unknown>;
  const byKey = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const options = { key: organization.keys.owner, ...(body === undefined ? {} : { body }) };
    const answer = await dashboard.api.call(method, path, options);
    expect(answer.status, answer.text).toBeLessThan(300);
    return (answer.body.data ?? answer.body) as Json;
  };
  const make = async (flow: object = FLOW): Promise<string> =>
    String((await byKey("POST", "/api/agents", { name: "Ada", brain: { kind: "flow", flow } })).id);
  const flowOf = async (id: string): Promise<Json> =>
    ((await byKey("GET", `/api/agents/${id}`)).brain as Json).flow as Json;
  const open = async (id: string, options = {}): Promise<Page> => {
    const page = await dashboard.openAs(developer.email, `/agents/${id}/flow`, options);
    await node(page, "Say: hello").waitFor(WAIT);
    return page;
  };
  const node = (page: Page, name: string) => page.getByRole("group", { name });
  const form = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
  const checks = (page: Page) => page.getByRole("region", { name: "Checks" });
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).click();

  test("a node is added, told of until it is whole, and saved with the edges that were drawn", async () => {
    const id = await make();
    const page = await open(id);
    await checks(page).getByText("No problems found").waitFor(WAIT);
    await node(page, "End: sorry").click();
    await press(page, "Delete");
    await checks(page).getByText('"day" leads nowhere when there is no answer').waitFor();
    await press(page, "Undo");
    await checks(page).getByText("No problems found").waitFor();
    await node(page, "Ask: day").click();
    await page.getByRole("button", { name: /^Add node/ }).click();
    await page.getByRole("menuitem", { name: "Say", exact: true }).click();
    const added = page.getByRole("region", { name: /^Node say_/ });
    const addedId = ((await added.getAttribute("aria-label")) ?? "").replace("Node ", "");
    await added.getByLabel("What it says").fill("One moment.");
    await checks(page).getByText(`"${addedId}" is never reached`).waitFor();
    await added.getByRole("region", { name: "Next" }).getByLabel("Leads to").selectOption("sorry");
    // The edge that leads there is drawn with the mouse.
    await page.getByRole("button", { name: "Fit View" }).click();
    const handle = node(page, "Ask: day").locator("[data-tip='No answer']");
    await handle.dragTo(node(page, `Say: ${addedId}`).locator(".react-flow__handle.target"));
    // The edge that was there before is behind it now, where nobody would take it.
    await checks(page).getByText(`to "${addedId}" is always open`).click();
    await page.getByRole("button", { name: "Remove the edge to sorry" }).click();
    await checks(page).getByText("No problems found").waitFor();
    await press(page, "Save");
    await page.getByText("Saved as version 2.").waitFor(WAIT);
    const { nodes, edges } = await flowOf(id);
    expect(nodes).toContainEqual(expect.objectContaining({ id: addedId, text: "One moment." }));
    expect(edges).toEqual(
      expect.arrayContaining([
        { from: addedId, to: "sorry", on: "next" },
        { from: "day", to: addedId, on: "no_answer" },
      ]),
    );
    expect(edges).toHaveLength(4);
    await picture(page, "flow-builder");
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("the drawing is zoomed by its buttons and by the wheel", async () => {
    const page = await open(await make());
    const viewport = page.locator(".react-flow__viewport");
    const scale = () => viewport.evaluate((drawn) => new DOMMatrix(getComputedStyle(drawn).transform).a);
    const fitted = await scale();
    await press(page, "Zoom Out");
    await expect.poll(scale).toBeLessThan(fitted);
    await press(page, "Fit View");
    await expect.poll(scale).toBeCloseTo(fitted);
    await node(page, "Ask: day").hover();
    await page.mouse.wheel(0, 200);
    await expect.poll(scale).toBeLessThan(fitted);
    const small = await scale();
    await press(page, "Zoom In");
    await expect.poll(scale).toBeGreaterThan(small);
  });

  test("an agent is opened at its settings and at its flow by address", async () => {
    const id = await make();
    const page = await dashboard.openAs(developer.email, `/agents/${id}/edit`);
    await heading(page, "Ada");
    const current = page.getByRole("link", { name: "Brain", exact: true });
    await current.and(page.locator("[aria-current=page]")).waitFor(WAIT);
    await page.getByLabel("Name", { exact: true }).waitFor(WAIT);
    await page.goto(dashboard.address(`/agents/${id}/flow`));
    await node(page, "Say: hello").waitFor(WAIT);
  });

  test("a flow is drawn with the keyboard alone", async () => {
    const id = await make();
    const page = await open(id);
    await tabTo(page, "Find a node");
    await page.keyboard.type("sorry");
    await page.keyboard.press("Enter");
    const sorry = form(page, "Node sorry");
    await sorry.waitFor();
    await tabTo(page, /^Name/);
    await page.keyboard.type("Apology");
    await tabTo(page, "What it says");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Sorry.");
    await node(page, "Ask: day").focus();
    await page.keyboard.press("Enter");
    await form(page, "Node day").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ControlOrMeta+Z");
    await page.keyboard.press("ControlOrMeta+Shift+Z");
    await page.keyboard.press("ControlOrMeta+C");
    await page.keyboard.press("ControlOrMeta+V");
    const copy = page.getByRole("region", { name: /^Node ask_/ });
    await copy.waitFor();
    await page.keyboard.press("Delete");
    await copy.waitFor({ state: "detached" });
    await tabTo(page, "Save");
    await page.keyboard.press("Enter");
    await page.getByText("Saved as version 2.").waitFor(WAIT);
    const { nodes } = (await flowOf(id)) as { nodes: Json[] };
    expect(nodes).toHaveLength(4);
    expect(nodes.at(-1)).toMatchObject({ id: "sorry", name: "Apology", text: "Sorry." });
    expect(nodes[1]?.position).toMatchObject({ x: expect.any(Number) });
  });

  test("two people who draw at the same time both keep what they did", async () => {
    const id = await make();
    const page = await open(id, { width: 390 });
    await page.getByLabel("Find a node").fill("hello");
    await page.keyboard.press("Enter");
    await page.getByLabel("What it says").fill("Ada here, hello.");
    const nodes = FLOW.nodes.map((one) => (one.id === "done" ? { ...one, text: "Bye." } : one));
    await byKey("PATCH", `/api/agents/${id}`, { brain: { flow: { ...FLOW, nodes } } });
    // It is seen before anybody saves, and nothing that was typed is lost by looking at it.
    await page.getByText("Version 2 was saved meanwhile.").waitFor(WAIT);
    await press(page, "Save");
    const notice = page.getByRole("alert", { name: "Changed by someone else" });
    await notice.getByText("someone else saved version 2 in the meantime").waitFor(WAIT);
    expect(await notice.textContent()).toContain("done › What it says");
    await press(page, "Keep my changes");
    await press(page, "Save");
    await page.getByText("Saved as version 3.").waitFor(WAIT);
    const texts = ((await flowOf(id)).nodes as Json[]).map(({ text }) => text);
    expect(texts).toEqual(["Ada here, hello.", "On which day?", "Bye.", "Please call again."]);
    expect(await overflowOf(page)).toBe(0);
    await picture(page, "flow-builder-narrow");
  });

  test("a live call is seen moving from node to node, by the way it came, and its page names each node", async () => {
    const options = [{ value: "morning" }, { value: "evening" }];
    const half = {
      id: "half",
      type: "ask",
      text: "Which half of it?",
      save: "half",
      answer: { type: "choice", options },
    };
    const id = await make({
      ...FLOW,
      nodes: [...FLOW.nodes, half],
      edges: [
        { from: "hello", to: "day" },
        { from: "day", to: "half" },
        { from: "day", on: "no_answer", to: "sorry" },
        { from: "half", to: "done" },
        { from: "half", on: "no_answer", to: "sorry" },
      ],
    });
    const page = await open(id);
    const { websocketUrl, sessionId } = await byKey("POST", "/api/sessions/init-web-call", { agentId: id });
    const caller = await TestCaller.start(String(websocketUrl), { acknowledges: true });
    const live = page.getByRole("region", { name: "Live calls" });
    await live.getByRole("button", { name: "is at day" }).waitFor(WAIT);
    await node(page, "Ask: day, 1 in calls").waitFor();
    const way = (name: string) => page.locator(".react-flow__edge.is-walked").and(page.getByLabel(name));
    const walked = () => page.locator(".react-flow__edge.is-walked").count();
    await way("Next from hello to day").waitFor({ state: "attached" });
    await expect.poll(walked).toBe(1);
    await caller.said("assistant");
    caller.send({ type: "text", text: "tomorrow" });
    await live.getByRole("button", { name: "is at half" }).waitFor(WAIT);
    await node(page, "Ask: half, 1 in calls").waitFor();
    expect(await node(page, "Ask: day, 1 in calls").count()).toBe(0);
    await way("Next from day to half").waitFor({ state: "attached" });
    await expect.poll(walked).toBe(2);
    await caller.said("assistant");
    caller.send({ type: "text", text: "in the morning" });
    expect(await caller.next("ended")).toMatchObject({ reason: "flow_end" });
    await live.waitFor({ state: "detached" });
    await expect.poll(walked).toBe(0);
    await page.goto(dashboard.address(`/calls/${String(sessionId)}`));
    const events = page.getByRole("region", { name: "Events" });
    for (const name of ["hello", "day", "half", "done"])
      await events.getByText(`The agent came to ${name}`).waitFor(WAIT);
    await expect.poll(() => events.getByText(/^The agent came to/).count()).toBe(4);
  });

  test("a change waits for its rehearsals, which are held in text and in speech and read on the page", async () => {
    const id = await make();
    const criteria = [{ kind: "says", text: "See you" }];
    const scenarios = [{ name: "comes", caller: { otherwise: ["tomorrow"] }, criteria }];
    await byKey("PATCH", `/api/agents/${id}`, { rehearsals: { scenarios } });
    await byKey("PATCH", `/api/agents/${id}`, { rehearsals: { required: true } });
    const page = await open(id);
    await node(page, "End: done").click();
    await page.getByLabel("What it says").fill("Until {day}.");
    await press(page, "Save");
    await page.getByText("The agent's rehearsals must pass first").waitFor(WAIT);
    await page.getByRole("link", { name: "Rehearse" }).click();
    // A report in speech grows while others are held in text, and lets no change in.
    await press(page, "In speech");
    await page.getByLabel("Where the caller is").selectOption("An office");
    await page.getByLabel("How loud it is there").selectOption("Softly");
    const asked = page.waitForRequest((request) => request.method() === "POST");
    await press(page, "Rehearse my changes");
    const noise = { sound: "office", volumeDb: 0 };
    expect((await asked).postDataJSON()).toMatchObject({ mode: "speech", noise, draft: {} });
    await page.getByText("0 of 1 held, 0 passed…").waitFor(WAIT);
    const spoken = page.getByRole("row").filter({ hasText: "In speech" });
    await spoken.getByText("0 of 1 so far").waitFor(WAIT);
    await press(page, "In text");
    await press(page, "Rehearse my changes");
    await page.getByText("0 of 1 passed").waitFor(WAIT);
    await press(page, "Save");
    await page.getByText('the rehearsal "comes" failed').waitFor(WAIT);
    expect(await page.getByRole("button", { name: "Save anyway" }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "Flow", exact: true }).click();
    await node(page, "End: done").click();
    await page.getByLabel("What it says").fill("See you soon.");
    await page.getByRole("link", { name: "Rehearsals", exact: true }).click();
    await press(page, "Rehearse my changes");
    await page.getByText("Passed, and failed before").waitFor(WAIT);
    await press(page, "Save");
    await page.getByText("Saved as version 4.").waitFor(WAIT);
    await spoken.getByText("0 of 1", { exact: true }).waitFor(WAIT);
    await spoken.getByRole("button", { name: /read the report/ }).click();
    await page.getByText("Failed: comes").click();
    await page.getByText("with noise around the caller.").waitFor();
    await page.getByRole("link", { name: "Listen to it in its record" }).waitFor();
    await picture(page, "rehearsed-in-speech");
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("an agent and a team are made of templates, and the builder shows the first of them", async () => {
    const page = await dashboard.openAs(developer.email, "/agents", { dark: true });
    await page.getByRole("link", { name: "Templates", exact: true }).click();
    await page.getByRole("button", { name: /Use this template Appointments/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("Salon Ada");
    await press(page, "Create agent");
    await heading(page, "Salon Ada");
    await node(page, "Say: hello").waitFor(WAIT);
    await checks(page).getByText("No problems found").waitFor(WAIT);
    await picture(page, "flow-template-dark");
    await page.goBack();
    await heading(page, "Templates");
    await picture(page, "templates-dark");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: /Use this template Front desk/ }).click();
    await page.getByText("They hand callers to each other.").waitFor();
    await press(page, "Create agent");
    await page.waitForURL(/agents\/agt_/);
    expect(await byKey("GET", "/api/agents?search=desk")).toMatchObject({ total: expect.any(Number) });
  });
});
