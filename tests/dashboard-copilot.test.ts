import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { type FakeChat, startFakeChat } from "../testkit/fakes/chat-completions.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import { picture } from "../testkit/softphone-pages.ts";

const WAIT = { timeout: 90_000 };
const END = { id: "done", type: "end", text: "Please call again." };
const DRAFT = {
  summary: "It asks for the day of the appointment.",
  flow: {
    start: "day",
    nodes: [{ id: "day", type: "ask", text: "On which day?", save: "day", answer: { type: "date" } }, END],
    edges: [
      { from: "day", to: "done" },
      { from: "day", on: "no_answer", to: "done" },
    ],
  },
  fields: [{ key: "day", description: "The day of the appointment" }],
  scenarios: [
    { name: "books", caller: { otherwise: ["tomorrow"] }, criteria: [{ kind: "reaches", node: "day" }] },
  ],
};

describe.runIf(needs("chromium"))("the copilot in a browser", () => {
  let fake: FakeChat;
  let dashboard: TestDashboard;
  /** Nobody has set a model there. */
  let bare: TestDashboard;
  let organization: TestOrganization;
  beforeAll(async () => {
    fake = await startFakeChat({ model: () => ({ text: JSON.stringify(DRAFT) }), apiKey: "sk-operator" });
    dashboard = await TestDashboard.start({
      env: { OPENAI_BASE_URL: fake.url, OPENAI_API_KEY: "sk-operator" },
    });
    bare = await TestDashboard.start();
    organization = await dashboard.api.createOrganization();
  });
  afterAll(async () => {
    await dashboard.close();
    await bare.close();
    fake.close();
  });

  const byKey = async (on: TestDashboard, key: string, path: string, body?: object) => {
    const answer = await on.api.call(body ? "POST" : "GET", path, { key, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body.data as Record<string, unknown>;
  };
  const make = async (on: TestDashboard, { keys }: TestOrganization): Promise<string> => {
    const brain = { kind: "flow", flow: { start: "done", nodes: [END] } };
    return String((await byKey(on, keys.owner, "/api/agents", { name: "Ada", brain })).id);
  };
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).click();

  test("drafts from words; what is accepted is saved, what is left stays", async () => {
    const id = await make(dashboard, organization);
    const { email } = await memberOnly(dashboard.api, organization.orgId, "developer");
    const page = await dashboard.openAs(email, `/agents/${id}/copilot`);
    await page.getByLabel("What it should do").fill("It should take appointments.");
    await page.getByLabel("Model", { exact: true }).fill("any-1");
    await press(page, "Draft changes");
    const draft = page.getByRole("region", { name: "Draft" });
    await draft.getByText(DRAFT.summary).waitFor(WAIT);
    const flow = draft.getByRole("region", { name: "Flow" });
    await flow.getByText("On which day?").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "copilot");
    await draft.getByRole("checkbox", { name: "Fields" }).uncheck();
    await press(page, "Accept selected");
    await page.getByText("Accepted, and not saved yet").waitFor();
    expect(await byKey(dashboard, organization.keys.owner, `/api/agents/${id}`)).toMatchObject({
      version: 1,
    });
    await press(page, "Save");
    await page.getByText("Saved as version 2.").waitFor(WAIT);
    expect(await byKey(dashboard, organization.keys.owner, `/api/agents/${id}`)).toMatchObject({
      brain: { flow: { nodes: [{ id: "day", text: "On which day?" }, { id: "done" }] } },
      rehearsals: { scenarios: [{ name: "books" }] },
      postCallAnalysis: { enabled: false, customFields: [] },
    });
    expect(fake.asked).toMatchObject([{ model: "any-1" }]);
  });

  test("says that there is no model, and what to set", async () => {
    const owner = await bare.api.createOrganization();
    const id = await make(bare, owner);
    const { email } = await memberOnly(bare.api, owner.orgId, "developer");
    const page = await bare.openAs(email, `/agents/${id}/copilot`, { width: 390 });
    await page.getByText("No model is available.").waitFor(WAIT);
    expect(await page.getByRole("button", { name: "Draft changes" }).count()).toBe(0);
    expect(await overflowOf(page)).toBe(0);
  });
});
