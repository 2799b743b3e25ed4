import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { keepCall } from "../testkit/kept-call.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { createOrganization, type TestOrganization } from "../testkit/organization.ts";
import type { TestPerson } from "../testkit/person.ts";
import { picture } from "../testkit/softphone-pages.ts";

describe.runIf(needs("chromium"))("what is made of calls, on the pages", () => {
  let dashboard: TestDashboard;
  let organization: TestOrganization;
  let developer: TestPerson;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    await dashboard.api.registerNode({ maxCalls: 100 });
    organization = await dashboard.api.createOrganization();
    developer = await memberOnly(dashboard.api, organization.orgId, "developer");
  });
  afterAll(() => dashboard.close());

  const read = async (): Promise<Record<string, unknown>> => {
    const { keys, agentId } = organization;
    const { body } = await dashboard.api.call("GET", `/api/agents/${agentId}`, { key: keys.owner });
    return body.data as Record<string, unknown>;
  };

  test.for([
    { dark: false, width: 1280 },
    { dark: true, width: 390 },
  ])("fields and criteria are added, and kept: dark $dark, $width wide", async (look) => {
    const address = `/agents/${organization.agentId}/analysis`;
    const page = await dashboard.openAs(developer.email, address, look);
    const isOn = page.getByLabel("Analyze calls and chats once they are over");
    await isOn.check();
    const order = `order_${look.width}`;
    await page.getByRole("button", { name: "Add field" }).click();
    const fields = page.getByRole("region", { name: "Fields" });
    await fields.getByLabel("Key of").last().fill(order);
    await fields.getByLabel("Type of").last().selectOption("Number");
    await fields.getByLabel("What to look for of").last().fill("the number of their order");
    await page.getByRole("button", { name: "Add criterion" }).click();
    await page
      .getByRole("region", { name: "Quality" })
      .getByLabel("Key of")
      .last()
      .fill(`greeted_${look.width}`);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await picture(page, `analysis-${look.width}`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version").waitFor();
    expect((await read()).postCallAnalysis).toMatchObject({
      enabled: true,
      customFields: expect.arrayContaining([
        { key: order, label: "", type: "number", description: "the number of their order" },
      ]),
      qaCriteria: expect.arrayContaining([{ key: `greeted_${look.width}`, description: "" }]),
    });
  });

  test.for([
    { dark: false, width: 1280 },
    { dark: true, width: 390 },
  ])("a call shows what was found, and its personal data to who says why: dark $dark", async (look) => {
    const { database } = dashboard.api;
    const postCallAnalysis = {
      enabled: true,
      customFields: [{ key: "mail", label: "", type: "string", description: "", piiRule: "email" }],
    };
    const acme = await createOrganization(database, { postCallAnalysis });
    const said = [
      "I am very unhappy with the broken lamp, it is terrible.",
      "Please send a new one. My address is jane@shop.example.",
    ];
    const { sessionId } = await keepCall(dashboard.api, acme, { said });
    const isAnalyzed = async (): Promise<unknown> =>
      (await dashboard.api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.owner })).body
        .analyzedAt;
    await expect.poll(isAnalyzed, { timeout: 90_000 }).toBeTypeOf("string");
    const owner = await memberOnly(dashboard.api, acme.orgId, "owner");
    const page = await dashboard.openAs(owner.email, `/calls/${sessionId}`, look);
    const panel = page.getByRole("region", { name: "Analysis" });
    await panel.getByText("Negative").waitFor();
    await panel.getByText("parley-local").waitFor();
    const played = page.getByRole("slider", { name: "Position in the call" });
    await played.fill("0.4");
    await panel.getByRole("button", { name: /^Play “.*lamp.*” from/ }).click();
    await expect.poll(() => played.inputValue().then(Number), { timeout: 90_000 }).not.toBe(0.4);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await picture(page, `analyzed-${look.width}`);
    await panel.getByRole("button", { name: /^Show/ }).click();
    await page.getByLabel("Why do you need it?").fill("To write back");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Show value" }).click();
    await panel.getByText("jane@shop.example").waitFor();
    const developer = await memberOnly(dashboard.api, acme.orgId, "developer");
    const theirs = await dashboard.openAs(developer.email, `/calls/${sessionId}`, look);
    await theirs.getByRole("region", { name: "Analysis" }).getByText("Negative").waitFor();
    expect(await theirs.getByRole("button", { name: /^Show/ }).count()).toBe(0);
  });
});
