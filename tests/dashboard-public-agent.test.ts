import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { installApp, TestBridge } from "../testkit/apps.ts";
import { TestDashboard } from "../testkit/dashboard.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import { TestPerson } from "../testkit/person.ts";

const WAIT = { timeout: 90_000 };

describe.runIf(needs("chromium"))("an agent's public page, as its owners see it in a browser", () => {
  let dashboard: TestDashboard;
  let organization: TestOrganization;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    organization = await dashboard.api.createOrganization();
  });
  afterAll(() => dashboard.close());

  const openAs = async (role: "admin" | "developer"): Promise<Page> => {
    const { email } = await memberOnly(dashboard.api, organization.orgId, role);
    const page = await dashboard.openAs(email, `/agents/${organization.agentId}/access`);
    await page.getByRole("region", { name: "Public page" }).waitFor(WAIT);
    return page;
  };
  const saved = async (): Promise<Record<string, unknown>> => {
    const path = `/api/agents/${organization.agentId}/public`;
    const { body } = await dashboard.api.call("GET", path, { key: organization.keys.viewer });
    return body.data as Record<string, unknown>;
  };

  test("is made public, set up, and made private and public again, which keeps all of it", async () => {
    const page = await openAs("admin");
    const part = page.getByRole("region", { name: "Public page" });
    await part.getByRole("button", { name: "Make public" }).click();
    await part.getByText("The agent is public.").waitFor(WAIT);
    const { publicUrl } = await saved();
    expect(await part.getByRole("link").getAttribute("href")).toBe(publicUrl);
    await part.getByText(/<script src=.*embed\.js/).waitFor();

    await part.getByLabel("Title").fill("Ask the pizzeria");
    await part.getByLabel("Access code").fill("basil");
    await part.getByLabel("Sites that may embed it").fill("https://shop.example\nhttps://blog.example");
    await part.getByLabel("Calls at once").fill("3");
    await part.getByRole("button", { name: "Save public page" }).click();
    await part.getByText("Saved.").waitFor(WAIT);
    const settings = {
      branding: { title: "Ask the pizzeria" },
      hasAccessCode: true,
      embedOrigins: ["https://shop.example", "https://blog.example"],
      limits: { callsAtOnce: 3, perDay: 200, perVisitorPerDay: 20, messagesPerChat: 50 },
    };
    expect(await saved()).toMatchObject({ ...settings, isPublic: true, publicUrl });
    expect(await accessibilityFaults(page)).toEqual([]);

    await part.getByRole("button", { name: "Make private" }).click();
    await part.getByText("Private. Its address and settings are kept.").waitFor(WAIT);
    expect(await saved()).toMatchObject({ ...settings, isPublic: false });
    await part.getByRole("button", { name: "Make public" }).click();
    await part.getByText("The agent is public.").waitFor(WAIT);
    await part.getByLabel("Remove access code").check();
    await part.getByRole("button", { name: "Save public page" }).click();
    await part.getByText("Saved.").waitFor(WAIT);
    expect(await saved()).toMatchObject({ ...settings, isPublic: true, publicUrl, hasAccessCode: false });

    await part.getByLabel("Sites that may embed it").fill("shop.example/path");
    await part.getByRole("button", { name: "Save public page" }).click();
    await part.getByRole("alert").waitFor(WAIT);
    expect(await part.getByLabel("Sites that may embed it").inputValue()).toBe("shop.example/path");
    await page.context().close();
  });

  test("is reached by an app's link, until that is revoked", async () => {
    const person = await TestPerson.register(dashboard.api);
    const brain = { kind: "model", model: "m-1", prompt: "Be brief." };
    const made = await person.call("POST", "/api/agents", { name: "Front desk", brain });
    const { id: targetId } = made.body.data as { id: string };
    const appId = await installApp(person, { scopes: ["agents:write", "links:read", "links:write"] });
    const bridge = await TestBridge.open(person, appId);
    const { slug } = (await bridge.call("agents.setPublic", { agentId: targetId })) as { slug: string };
    const spec = { action: "agent_chat", targetType: "agent", targetId, ttlSecs: 3_600, context: { slug } };
    const link = (await bridge.call("links.mint", { spec })) as { id: string; url: string };
    const page = await dashboard.open(new URL(link.url).pathname, { expects: /410/ });
    await page.getByRole("heading", { name: "Front desk" }).waitFor(WAIT);
    // The link is for writing only.
    expect(await page.getByRole("button", { name: "Start talking" }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await bridge.call("links.revoke", { id: link.id });
    await page.reload();
    await page.getByRole("heading", { name: "Nobody here" }).waitFor(WAIT);
  });

  test("is shown to developers, who cannot change it", async () => {
    const page = await openAs("developer");
    const part = page.getByRole("region", { name: "Public page" });
    await part.getByText("Owners and admins make agents public.").waitFor(WAIT);
    expect(await part.getByRole("button", { name: /Make/ }).count()).toBe(0);
    await page.context().close();
  });
});
