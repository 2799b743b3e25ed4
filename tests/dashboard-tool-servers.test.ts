import { McpServer } from "@modelcontextprotocol/server";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf, signIn, TestDashboard } from "../testkit/dashboard.ts";
import { AuthorizationServer } from "../testkit/fakes/authorization-server.ts";
import { McpFake, type McpFakeOptions } from "../testkit/mcp-servers.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";

const WAIT = { timeout: 90_000 };

/** Its description tries to be more than text. */
function shop(): McpServer {
  const server = new McpServer({ name: "shop", version: "3.1" });
  server.registerTool(
    "order.find",
    {
      description: "Finds an order. <img src=x onerror=alert(1)> **bold**",
      inputSchema: z.object({ number: z.string().describe("Its number") }),
      annotations: { readOnlyHint: true },
    },
    async ({ number }) => ({ content: [{ type: "text", text: `Order ${number} is on its way.` }] }),
  );
  return server;
}

describe.runIf(needs("chromium"))("the pages for tool servers in a browser", () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await TestDashboard.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  });
  afterAll(() => dashboard.close());

  async function serve(options: Partial<McpFakeOptions> = {}): Promise<McpFake> {
    const server = await McpFake.start({ tools: shop, ...options });
    onTestFinished(() => server.close());
    return server;
  }

  /** A server that shows its tools to those whom its authorization server knows. */
  async function guarded(): Promise<McpFake> {
    const auth = await AuthorizationServer.start();
    onTestFinished(() => auth.close());
    return serve({
      guard: (request, url) => {
        const metadata = `${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`;
        if (request.url === metadata)
          return Response.json({ resource: url, authorization_servers: [auth.origin] });
        const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
        if (auth.accessTokens.has(token)) return undefined;
        const headers = { "www-authenticate": `Bearer resource_metadata="${metadata}"` };
        return new Response("no", { status: 401, headers });
      },
    });
  }

  async function add(page: Page, url: string): Promise<void> {
    await heading(page, "Tool servers");
    await page.getByLabel("URL", { exact: true }).fill(url);
    await page.getByRole("button", { name: "Show its tools" }).click();
  }

  test("a server is added by its address, and its words are shown as text", async () => {
    const server = await serve();
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.openAs(owner.email, "/integrations/servers");
    await add(page, "mcp.example.com");
    await page.getByText("Enter a full URL").waitFor();
    await add(page, server.url);
    await page.getByText("shop 3.1 · MCP 2026-07-28").waitFor();
    await page.locator("summary").getByText("order.find").click();
    await page.getByText("Finds an order. <img src=x onerror=alert(1)> **bold**").waitFor();
    await page.getByText("Text: Its number").waitFor();
    await page.getByText("Reads", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByRole("dialog").getByLabel("number").fill("7");
    await page.getByRole("dialog").getByRole("button", { name: "Run" }).click();
    await page.getByRole("dialog").getByText("Done after").waitFor(WAIT);
    await page.getByRole("dialog").getByText("Order 7 is on its way.").waitFor();
  });

  test("an address where nothing listens says so, and is tried again", async () => {
    const owner = await TestPerson.register(dashboard.api);
    const server = await serve();
    await server.close();
    const page = await dashboard.openAs(owner.email, "/integrations/servers");
    await add(page, server.url);
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
  });

  test("somebody signs in in a window of its own, and disconnects again", async () => {
    const server = await guarded();
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.openAs(owner.email, "/integrations/servers");
    await add(page, server.url);
    const [consent] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("button", { name: "Sign in" }).click(),
    ]);
    await page.locator("summary").getByText("order.find").waitFor(WAIT);
    await page.getByText("Working").waitFor();
    await expect.poll(() => consent.isClosed(), WAIT).toBe(true);
    await page.getByRole("link", { name: "Tool servers" }).first().click();
    await page.getByRole("region", { name: "Connected servers" }).getByRole("link").click();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await heading(page, "Tool servers");
    await expect.poll(() => page.getByRole("region", { name: "Connected servers" }).count()).toBe(0);
  });

  test("a well-known server is found by what it is for", async () => {
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.openAs(owner.email, "/integrations/servers");
    const names = page.getByRole("list", { name: "Servers", exact: true }).getByRole("link");
    await expect.poll(() => names.count(), WAIT).toBeGreaterThan(20);
    await page.getByLabel("Search servers").fill("jira");
    await expect.poll(() => names.allTextContents()).toEqual(["Atlassian"]);
    await page.getByLabel("Search servers").fill("no such thing");
    await page.getByText("No servers match.").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("button", { name: /^CRM/ }).click();
    await page.getByRole("link", { name: "Attio" }).waitFor();
  });

  test.for([
    { dark: false, width: 1440 },
    { dark: true, width: 390 },
  ])("axe finds nothing, and all fits: dark $dark, $width wide", async (look) => {
    const [open, closed] = [await serve(), await guarded()];
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.open("/integrations/servers", look);
    const isFine = async (what: string) => {
      expect(await accessibilityFaults(page), what).toEqual([]);
      expect(await overflowOf(page), `${what} is wider than the screen`).toBe(0);
    };
    await signIn(page, owner.email);
    await page.getByRole("link", { name: "Atlassian" }).waitFor();
    await isFine("the directory");
    await add(page, open.url);
    await page.locator("summary").getByText("order.find").click();
    await isFine("the tools");
    await page.goto(dashboard.address("/integrations/servers"));
    await add(page, closed.url);
    await page.getByRole("heading", { name: "Look with an access token" }).waitFor();
    await isFine("the ways in");
  });
});
