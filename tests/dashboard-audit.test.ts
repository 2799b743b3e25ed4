import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";

const WAIT = { timeout: 40_000 };

describe.runIf(needs("chromium"))("the audit log's page", { timeout: 120_000 }, () => {
  let dashboard: TestDashboard;
  let owner: TestPerson;
  let sessionId: string;

  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    owner = await TestPerson.register(dashboard.api);
    sessionId = newId("ses");
    await dashboard.api.database.db
      .insertInto("audit_events")
      .values({
        ...{ id: newId("aud"), org_id: owner.orgId, user_id: null, at: new Date() },
        ...{ actor_kind: "user", actor_id: owner.userId, ip: "127.0.0.1", user_agent: "Firefox" },
        ...{ action: "recording.deleted", outcome: "success", details: JSON.stringify({ sessionId }) },
      })
      .execute();
  });
  afterAll(() => dashboard.close());

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
