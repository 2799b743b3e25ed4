import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";

const WAIT = { timeout: 90_000 };

describe.runIf(needs("chromium"))("the tools on an agent's page in a browser", () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await TestDashboard.start();
  });
  afterAll(() => dashboard.close());

  interface Tool {
    readonly connectionId?: string;
    readonly bind: object;
  }

  /** An agent of somebody who has connected the demo shop. */
  async function shopKeeper() {
    const owner = await TestPerson.register(dashboard.api);
    const path = `/api/orgs/${owner.orgId}/integrations/connections`;
    const connected = await owner.call("POST", path, { providerId: "demo-shop" });
    const { connection } = connected.body.data as { connection: { id: string } };
    const brain = {
      kind: "model",
      model: "small",
      prompt: "You are the shop.",
      url: "https://93.184.215.14/v1",
    };
    const made = await owner.call("POST", "/api/agents", { name: "Front desk", brain });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data as { id: string };
    const tools = async () => {
      const { body } = await owner.call("GET", `/api/agents/${id}`);
      return (body.data as { brain: { tools: Tool[] } }).brain.tools;
    };
    return { owner, id, connectionId: connection.id, tools };
  }

  const dialogOf = (page: Page) => page.getByRole("dialog");

  test("a capability is picked with its connection, tried before it is saved, and saved with what is fixed", async () => {
    const { owner, id, connectionId, tools } = await shopKeeper();
    const page = await dashboard.openAs(owner.email, `/agents/${id}/brain`);
    await heading(page, "Front desk");
    await page.getByRole("button", { name: "Act in a connected system" }).click();
    const connection = page.getByLabel("Connection of order_lookup");
    await connection.selectOption({ label: "Demo shop" });
    await page.getByRole("button", { name: "Try it" }).click();
    await dialogOf(page).getByLabel("orderNumber (optional)").fill("1001");
    await dialogOf(page).getByRole("button", { name: "Run" }).click();
    await dialogOf(page)
      .getByText(/Done after \d+ ms/)
      .waitFor(WAIT);
    await dialogOf(page).getByText('"orderNumber": "1001"').waitFor();
    await dialogOf(page).getByText('"number": "1001"').waitFor();
    await dialogOf(page).getByRole("button", { name: "Close", exact: true }).last().click();
    await page.getByText("Fixed values").click();
    await page.getByLabel("email", { exact: true }).fill("ada@example.com");
    await page.getByLabel("Ask the caller first of order_lookup").selectOption({ label: "Always" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version 2.").waitFor(WAIT);
    expect(await tools()).toMatchObject([
      {
        kind: "connector",
        name: "order_lookup",
        capability: "order.lookup",
        connectionId,
        bind: { email: "ada@example.com" },
        confirm: true,
      },
    ]);
  });

  test("another capability takes what belonged to the last one away, and says when it changes something", async () => {
    const { owner, id, tools } = await shopKeeper();
    const page = await dashboard.openAs(owner.email, `/agents/${id}/brain`);
    await page.getByRole("button", { name: "Act in a connected system" }).click();
    await page.getByLabel("Connection of order_lookup").selectOption({ label: "Demo shop" });
    await page.getByLabel("What it does of order_lookup").selectOption({ label: "Move an appointment" });
    await page.getByText("Default: yes, it changes something").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Try it" }).click();
    await dialogOf(page).getByText("This changes something in the connected system").waitFor();
    await dialogOf(page).getByLabel("id", { exact: true }).fill("none");
    await dialogOf(page).getByLabel("start", { exact: true }).fill("tomorrow");
    await dialogOf(page).getByRole("button", { name: "Run for real" }).click();
    await dialogOf(page)
      .getByText(/Failed after \d+ ms/)
      .waitFor(WAIT);
    await dialogOf(page).getByRole("button", { name: "Close", exact: true }).last().click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version 2.").waitFor(WAIT);
    const [tool] = await tools();
    expect(tool).toMatchObject({ name: "booking_reschedule", capability: "booking.reschedule", bind: {} });
    expect(tool?.connectionId).toBeUndefined();
  });

  test.for([
    { dark: false, width: 1440 },
    { dark: true, width: 390 },
  ])("axe finds nothing, and all fits: dark $dark, $width wide", async (look) => {
    const { owner, id } = await shopKeeper();
    const page = await dashboard.openAs(owner.email, `/agents/${id}/brain`, look);
    await page.getByRole("button", { name: "Act in a connected system" }).click();
    await page.getByRole("button", { name: "Call a remote tool" }).click();
    await page.getByText("Nobody has signed in to a tool server.").waitFor();
    await page.getByText("Fixed values").first().click();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.getByRole("button", { name: "Try it" }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  });
});
