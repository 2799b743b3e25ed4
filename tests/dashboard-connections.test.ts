import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tabTo } from "../testkit/app-browser.ts";
import { heading, signIn, TestDashboard } from "../testkit/dashboard.ts";
import type { FakeVendor } from "../testkit/fakes/connectors/fake-vendor.ts";
import { startFakeZendesk, ZENDESK } from "../testkit/fakes/connectors/zendesk.ts";
import { isFine } from "../testkit/fine-page.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";

const URL = "https://shoes.zendesk.com";

describe.runIf(needs("chromium"))("the pages for connections in a browser", () => {
  let dashboard: TestDashboard;
  let help: FakeVendor;

  beforeAll(async () => {
    help = await startFakeZendesk();
    dashboard = await TestDashboard.start({
      env: { INTEGRATION_URLS: `zendesk=${help.url}` },
      allowPrivateTargets: ["127.0.0.0/8"],
    });
  });
  afterAll(async () => {
    await dashboard.close();
    help.close();
  });
  beforeEach(() => {
    help.fault = undefined;
  });

  async function connect(owner: TestPerson, body: object): Promise<string> {
    const path = `/api/orgs/${owner.orgId}/integrations/connections`;
    const { body: answer, text } = await owner.call("POST", path, body);
    const data = answer.data as { connection: { id: string } } | undefined;
    if (!data) throw new Error(text);
    return data.connection.id;
  }
  const zendesk = { providerId: "zendesk", credentials: ZENDESK.basic, settings: { url: URL } };
  const dialogOf = (page: Page) => page.getByRole("dialog");

  test("a connector is found by what it does, and its account is connected by the form it describes", async () => {
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.openAs(owner.email, "/integrations");
    await page.getByText("Let agents act in your systems").waitFor();
    await page.getByRole("link", { name: "Connect account" }).click();
    await heading(page, "Connect account");
    const names = page.getByRole("list", { name: "Connectors" }).getByRole("link");
    await page.getByLabel("Search connectors").fill("ticket");
    await expect.poll(() => names.allTextContents()).not.toContain("Stripe");
    expect(await names.allTextContents()).toEqual(expect.arrayContaining(["HubSpot", "Zendesk"]));
    await page.getByRole("button", { name: "Help desk" }).click();
    await expect.poll(() => names.allTextContents()).not.toContain("HubSpot");
    expect(await names.allTextContents()).toContain("Zendesk");
    await page.getByLabel("Search connectors").fill("nothing like it");
    await page.getByText("No connectors match.").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Search connectors").fill("zen");
    await page.getByRole("link", { name: "Zendesk" }).click();
    await heading(page, "Connect Zendesk");
    await page.getByText("Admin Center → Apps and integrations → APIs → API tokens.").waitFor();
    await page.getByLabel("Email of an agent").fill("agent@example.com");
    await page.getByLabel("API token", { exact: true }).fill("to ken");
    await page.getByLabel("Zendesk address").fill("https://shoes.example.com");
    await page.getByRole("button", { name: "Connect" }).click();
    // What the server finds is told at the field it is about.
    const address = page.getByLabel("Zendesk address");
    await expect.poll(() => address.getAttribute("aria-invalid")).toBe("true");
    await page.getByText("Must be https://<subdomain>.zendesk.com.").waitFor();
    await address.fill(URL);
    await page.getByLabel("API token", { exact: true }).fill(String(ZENDESK.basic.apiToken));
    await page.getByLabel("Name (optional)").fill("Our help desk");
    await page.getByRole("button", { name: "Connect" }).click();
    await heading(page, "Our help desk");
    await page.getByText("Our help desk is connected.").waitFor();
    await page.getByText("April 30, 2027").waitFor();
    expect(await page.content()).not.toContain(String(ZENDESK.basic.apiToken));
  });

  test("the same account again leads to the connection that has it", async () => {
    const owner = await TestPerson.register(dashboard.api);
    await connect(owner, zendesk);
    const page = await dashboard.openAs(owner.email, "/integrations/catalog/zendesk");
    await page.getByRole("button", { name: "OAuth access token" }).click();
    await page.getByLabel("OAuth access token", { exact: true }).fill("another");
    await page.getByLabel("Zendesk address").fill(URL);
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByText("This Zendesk account is already connected.").waitFor();
    await page.getByRole("link", { name: "Open connection" }).click();
    await heading(page, "Zendesk");
  });

  test("a connection that the vendor refuses says so, and works again with other credentials", async () => {
    const owner = await TestPerson.register(dashboard.api);
    await connect(owner, { ...zendesk, credentials: { accessToken: "wrong" } });
    const page = await dashboard.openAs(owner.email, "/integrations");
    await page.getByText("Needs attention", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Zendesk", exact: true }).click();
    const wrong = page.getByRole("region", { name: "What is wrong" });
    await wrong.waitFor();
    await page.getByRole("button", { name: "Replace credentials" }).click();
    const dialog = dialogOf(page);
    await dialog.getByText("Leave empty to keep the current one.").waitFor();
    await dialog.getByRole("button", { name: "API token", exact: true }).click();
    await dialog.getByLabel("Email of an agent").fill(String(ZENDESK.basic.email));
    await dialog.getByLabel("API token", { exact: true }).fill(String(ZENDESK.basic.apiToken));
    await dialog.getByRole("button", { name: "Replace and test" }).click();
    await page.getByRole("status").getByText("Zendesk saved.").waitFor();
    await expect.poll(() => wrong.count()).toBe(0);
    help.fault = { status: 500, json: {} };
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await wrong.waitFor();
    help.fault = undefined;
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("Zendesk accepts it, with a warning.").waitFor();
  });

  test("a connection is renamed without asking the vendor, and deleted once no agent has chosen it", async () => {
    const owner = await TestPerson.register(dashboard.api);
    const id = await connect(owner, zendesk);
    const tool = { kind: "connector", name: "ticket", capability: "ticket.lookup", connectionId: id };
    const made = await owner.call("POST", "/api/agents", {
      name: "Front desk",
      brain: { url: "https://93.184.215.14/brain", tools: [tool] },
    });
    expect(made.status, made.text).toBe(201);
    const { id: agentId } = made.body.data as { id: string };
    const page = await dashboard.openAs(owner.email, `/integrations/connections/${id}`);
    const asked = help.calls.length;
    await page.getByRole("button", { name: "Edit" }).click();
    await dialogOf(page).getByLabel("Name").fill("Support");
    await dialogOf(page).getByRole("button", { name: "Save" }).click();
    await heading(page, "Support");
    expect(help.calls).toHaveLength(asked);
    await page.getByRole("button", { name: "Delete" }).click();
    await dialogOf(page).getByText("These agents need this connection.").waitFor();
    expect(await dialogOf(page).getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
    await dialogOf(page).getByRole("link", { name: "Front desk" }).click();
    await heading(page, "Front desk");
    await owner.call("PATCH", `/api/agents/${agentId}`, { brain: { tools: [] } });
    await page.goto(dashboard.address(`/integrations/connections/${id}`));
    await page.getByText("No agent uses this connection.").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialogOf(page).getByRole("button", { name: "Delete" }).click();
    await heading(page, "Connections");
    await page.getByText("Let agents act in your systems").waitFor();
  });

  test("the demo shop is connected by the keyboard alone", async () => {
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.openAs(owner.email, "/integrations");
    await page.getByText("Let agents act in your systems").waitFor();
    await tabTo(page, "Try the demo shop");
    await page.keyboard.press("Enter");
    await heading(page, "Connect Demo shop");
    await tabTo(page, "Connect");
    await page.keyboard.press("Enter");
    await heading(page, "Demo shop");
    await page.getByText("Demo shop is connected.").waitFor();
  });

  test("a viewer reads connections and is offered nothing that changes one", async () => {
    const owner = await TestPerson.register(dashboard.api);
    await connect(owner, zendesk);
    const viewer = await memberOnly(dashboard.api, owner.orgId, "viewer");
    const page = await dashboard.openAs(viewer.email, "/integrations");
    await page.getByRole("link", { name: "Zendesk", exact: true }).click();
    await heading(page, "Zendesk");
    expect(await page.getByRole("button", { name: /test|edit|replace|delete/i }).count()).toBe(0);
    await page.goto(dashboard.address("/integrations/catalog/stripe"));
    await page.getByText("Your role is viewer.").waitFor();
  });

  test.for([1440, 1024, 390])(
    "axe finds nothing in light and in dark, and all fits: %i wide",
    async (width) => {
      const owner = await TestPerson.register(dashboard.api);
      const page = await dashboard.open("/integrations", { width });
      await signIn(page, owner.email);
      await page.getByText("Let agents act in your systems").waitFor();
      await isFine(page, "the empty list");
      await connect(owner, zendesk);
      const id = await connect(owner, {
        providerId: "zendesk",
        credentials: { accessToken: "wrong" },
        settings: { url: "https://boots.zendesk.com" },
      });
      await page.reload();
      await page.getByText("Needs attention", { exact: true }).waitFor();
      await isFine(page, "the list");
      await page.goto(dashboard.address("/integrations/catalog"));
      await page.getByRole("link", { name: "Zendesk" }).waitFor();
      await isFine(page, "the catalog");
      await page.goto(dashboard.address("/integrations/catalog/postgres"));
      await heading(page, "Connect Postgres");
      await isFine(page, "the form");
      await page.goto(dashboard.address(`/integrations/connections/${id}`));
      await page.getByRole("region", { name: "What is wrong" }).waitFor();
      await isFine(page, "a connection");
      await page.getByRole("button", { name: "Replace credentials" }).click();
      await isFine(page, "the dialog for credentials");
    },
  );
});
