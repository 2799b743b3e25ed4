import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tabTo } from "../testkit/app-browser.ts";
import { TestDashboard } from "../testkit/dashboard.ts";
import { countDrawn } from "../testkit/drawn-components.ts";
import { largeFlow } from "../testkit/flows.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";

const WAIT = { timeout: 90_000 };
const NODES = 80;
const STEPS = 20;
const MOVED = "ask_40";
/** The edges of the node that is moved. */
const ITS_EDGES = ["ask_39 next ask_40 0", "ask_40 next ask_41 0", "ask_40 no_answer lost 0"];

describe.runIf(needs("chromium"))("a flow of 80 nodes in the builder", () => {
  let dashboard: TestDashboard;
  let organization: TestOrganization;
  let email: string;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    organization = await dashboard.api.createOrganization();
    ({ email } = await memberOnly(dashboard.api, organization.orgId, "developer"));
  });
  afterAll(() => dashboard.close());

  const make = async (): Promise<string> => {
    const body = { name: "Large", brain: { kind: "flow", flow: largeFlow(NODES) } };
    const made = await dashboard.api.call("POST", "/api/agents", { key: organization.keys.owner, body });
    expect(made.status, made.text).toBe(201);
    return (made.body.data as { id: string }).id;
  };
  const savedFlow = async (id: string) => {
    const { body } = await dashboard.api.call("GET", `/api/agents/${id}`, { key: organization.keys.owner });
    const { brain } = body.data as { brain: { flow: { nodes: object[]; edges: object[] } } };
    return brain.flow;
  };
  const node = (page: Page, name: string | RegExp) => page.getByRole("group", { name });
  const form = (page: Page, id: string) => page.getByRole("region", { name: `Node ${id}`, exact: true });
  const frame = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));

  test("draws nothing anew but the node that is dragged and its edges, and the one that is typed in", async () => {
    const id = await make();
    const page = await dashboard.openAs(email, "/agents");
    const drawn = await countDrawn(page);
    await page.goto(dashboard.address(`/agents/${id}/flow`));
    const moved = node(page, `Ask: ${MOVED}`);
    await page.getByText("No problems found").waitFor(WAIT);
    expect(Object.keys((await drawn.read())["flow-step"] ?? {})).toHaveLength(NODES);
    await page.getByLabel("Find a node").fill(MOVED);
    await page.keyboard.press("Enter");
    await form(page, MOVED).waitFor(WAIT);
    await moved.click();
    const before = await moved.boundingBox();
    const [x, y] = [(before?.x ?? 0) + 40, (before?.y ?? 0) + 20];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 10, y + 10);
    await frame(page);
    await drawn.reset();
    for (let step = 1; step <= STEPS; step++) {
      await page.mouse.move(x + 10 + step * 4, y + 10 + step * 2);
      await frame(page);
    }
    const whileDragged = await drawn.read();
    await page.mouse.up();
    expect((await moved.boundingBox())?.x).toBeGreaterThan(before?.x ?? Number.POSITIVE_INFINITY);
    expect(whileDragged["flow-step"] ?? {}).toEqual({});
    const nodes = whileDragged["react-flow__node"] ?? {};
    expect(Object.keys(nodes)).toEqual([MOVED]);
    expect(nodes[MOVED]).toBeLessThanOrEqual(2 * STEPS);
    expect(Object.keys(whileDragged["react-flow__edge"] ?? {}).toSorted()).toEqual(ITS_EDGES);

    await drawn.reset();
    await form(page, MOVED).getByLabel("What it says").fill("What is your favorite color?");
    await moved.getByText("What is your favorite color?").waitFor(WAIT);
    await page.getByText("No problems found").waitFor(WAIT);
    expect(Object.keys((await drawn.read())["flow-step"] ?? {})).toEqual([MOVED]);
  });

  test("is zoomed, moved, copied in, found in, changed and connected with the keyboard alone", async () => {
    const id = await make();
    const page = await dashboard.openAs(email, `/agents/${id}/flow`);
    await node(page, /^Ask: ask_0,/).waitFor(WAIT);
    const { keyboard } = page;
    await tabTo(page, /^Ask: ask_0,/);
    const scale = () =>
      page
        .locator(".react-flow__viewport")
        .evaluate((drawn) => new DOMMatrix(getComputedStyle(drawn).transform).a);
    const fitted = await scale();
    await keyboard.press("+");
    await expect.poll(scale, WAIT).toBeGreaterThan(fitted);
    await keyboard.press("-");
    await keyboard.press("-");
    await expect.poll(scale, WAIT).toBeLessThan(fitted);
    await keyboard.press("0");
    await expect.poll(scale, WAIT).toBeCloseTo(fitted);

    await keyboard.press("Enter");
    await form(page, "ask_0").waitFor(WAIT);
    await keyboard.press("ArrowRight");
    await keyboard.press("ControlOrMeta+Z");
    await keyboard.press("ControlOrMeta+Shift+Z");
    await keyboard.press("ControlOrMeta+C");
    await keyboard.press("ControlOrMeta+V");
    const copy = page.getByRole("region", { name: /^Node ask_(?!0$)/ });
    await copy.waitFor(WAIT);
    await keyboard.press("Delete");
    await copy.waitFor({ state: "detached", ...WAIT });

    await keyboard.press("Shift+Tab");
    await keyboard.press("Shift+Tab");
    await keyboard.type("ask_40");
    await keyboard.press("Enter");
    await form(page, "ask_40").waitFor(WAIT);
    await tabTo(page, "Skip to the fields");
    await keyboard.press("Enter");
    await tabTo(page, "What it says");
    await keyboard.press("ControlOrMeta+A");
    await keyboard.type("Which color?");
    await tabTo(page, "Leads to");
    await tabTo(page, "Leads to");
    await keyboard.type("done");
    await page.getByRole("listbox").getByRole("option", { name: /done/ }).waitFor(WAIT);
    await tabTo(page, "Save");
    await keyboard.press("Enter");
    await page.getByText("Saved as version 2.").waitFor(WAIT);
    const { nodes, edges } = await savedFlow(id);
    expect(nodes).toHaveLength(NODES);
    expect(nodes[0]).toMatchObject({ id: "ask_0", position: { x: expect.any(Number) } });
    expect(nodes[40]).toMatchObject({ id: "ask_40", text: "Which color?" });
    expect(edges).toContainEqual({ from: "ask_40", on: "no_answer", to: "done" });
  });
});
