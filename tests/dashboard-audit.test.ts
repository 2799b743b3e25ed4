import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";

const WAIT = { timeout: 90_000 };
const AGENT = "agt_of_the_front_desk";
const MORE = { mcpConnectionId: "mcp_1", isPublic: true, phone: null, scopeId: "" };

describe.runIf(needs("chromium"))("the audit log's page", { timeout: 120_000 }, () => {
  let dashboard: TestDashboard;
  let owner: TestPerson;
  let sessionId: string;

  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    owner = await TestPerson.register(dashboard.api);
    sessionId = newId("ses");
    await dashboard.api.database.db
      .insertInto("agents")
      .values({
        ...{ id: AGENT, org_id: owner.orgId, name: "Front desk" },
        ...{ settings: "{}", created_at: new Date(), updated_at: new Date() },
      })
      .execute();
    await dashboard.api.database.db
      .insertInto("audit_events")
      .values({
        ...{ id: newId("aud"), org_id: owner.orgId, user_id: null, at: new Date() },
        ...{ actor_kind: "user", actor_id: owner.userId, ip: "127.0.0.1", user_agent: "Firefox" },
        ...{
          action: "recording.deleted",
          outcome: "success",
          details: JSON.stringify({ sessionId, agentId: AGENT, ...MORE }),
        },
      })
      .execute();
  });
  afterAll(() => dashboard.close());

  test("tells details in words, and leaves out what is empty", async () => {
    const page = await dashboard.openAs(owner.email, "/audit");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: sessionId }) });
    await row.waitFor(WAIT);
    const told = await row.locator("dl > *").allTextContents();
    expect(told.toSorted()).toEqual(
      ["Agent", "Front desk", "Is public", "Yes", "Call", sessionId, "Tool server", "mcp_1"].toSorted(),
    );
    const agent = row.getByRole("link", { name: "Front desk" });
    expect(await agent.getAttribute("href")).toBe(`/agents/${AGENT}`);
    await agent.hover();
    await page.getByText(AGENT, { exact: true }).waitFor();
  });

  test.each([390, 1024, 1440])(
    "keeps a call's id in one line at %i px, and leads to the call",
    async (width) => {
      const page = await dashboard.openAs(owner.email, "/audit", { width });
      const link = page.getByRole("link", { name: sessionId });
      await link.waitFor(WAIT);
      const lineHeight = await link.evaluate((element) =>
        Number.parseFloat(getComputedStyle(element).lineHeight),
      );
      expect((await link.boundingBox())?.height).toBeLessThan(2 * lineHeight);
      expect(await overflowOf(page)).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      await link.click();
      await page.waitForURL(`**/calls/${sessionId}`);
    },
  );
});
