import { sql } from "kysely";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { phoneText } from "../dashboard/ui/phone-text.ts";
import { ApiRequests } from "../testkit/api-requests.ts";
import { accessibilityFaults, tabTo } from "../testkit/app-browser.ts";
import type { TestControlApi } from "../testkit/control-api.ts";
import { heading, TestDashboard } from "../testkit/dashboard.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import type { TestPerson } from "../testkit/person.ts";

const WAIT = { timeout: 90_000 };
const CALLS = 20_000;
/** What a page may ask the API for until it is all there. */
const MOST_REQUESTS = 4;
const PAGE = 50;

describe.runIf(needs("chromium"))(
  "an operator with 20,000 calls who looks for one",
  { timeout: 120_000 },
  () => {
    let dashboard: TestDashboard;
    let viewer: TestPerson;
    /** A call in the middle of them, and its number, which no other call has. */
    let sought: { sessionId: string; number: string };

    beforeAll(async () => {
      dashboard = await TestDashboard.start();
      const { api } = dashboard;
      const organization = await api.createOrganization();
      await fill(api, organization);
      const middle = await api.database.db
        .selectFrom("calls")
        .select("session_id")
        .where("org_id", "=", organization.orgId)
        .orderBy("created_at")
        .offset(CALLS / 2)
        .limit(1)
        .executeTakeFirstOrThrow();
      sought = { sessionId: middle.session_id, number: "+4930987654" };
      await api.database.db
        .updateTable("calls")
        .set({ from_number: sought.number, to_number: "+12025550100" })
        .where("session_id", "=", sought.sessionId)
        .execute();
      viewer = await memberOnly(api, organization.orgId, "viewer");
    }, 120_000);
    afterAll(() => dashboard.close());

    const rows = (page: Page) => page.getByRole("region", { name: "List of calls" }).getByRole("rowheader");
    const view = (page: Page, name: string) =>
      page.getByRole("group", { name: "Views" }).getByRole("button", { name, exact: true });

    test("sees the newest ones after at most four requests", async () => {
      const page = await dashboard.openAs(viewer.email, "/");
      await page.goto("about:blank");
      const asked = new ApiRequests(page);
      await page.goto(dashboard.address("/calls"));
      await expect.poll(() => rows(page).count(), WAIT).toBe(PAGE);
      await expect.poll(() => asked.areAnswered(), WAIT).toBe(true);
      expect(asked.paths.length, asked.paths.join(" ")).toBeLessThanOrEqual(MOST_REQUESTS);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    test("finds it by a part of its number, and opens it, by keyboard alone", async () => {
      const page = await dashboard.openAs(viewer.email, "/calls");
      await expect.poll(() => rows(page).count(), WAIT).toBe(PAGE);
      await tabTo(page, "Number");
      await page.keyboard.type("30 9876");
      await page.keyboard.press("Enter");
      await expect.poll(() => rows(page).count(), WAIT).toBe(1);
      await page.getByRole("cell", { name: phoneText(sought.number) }).waitFor();
      await tabTo(page, (await rows(page).first().textContent()) ?? "");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/calls/${sought.sessionId}`);
      await page.getByText(sought.sessionId).waitFor(WAIT);
    });

    test("finds it again by a view that was saved", async () => {
      const page = await dashboard.openAs(viewer.email, "/calls");
      await expect.poll(() => rows(page).count(), WAIT).toBe(PAGE);
      await page.getByLabel("Status").selectOption("Completed");
      await page.getByLabel("Number").fill("9876");
      await page.keyboard.press("Enter");
      await expect.poll(() => rows(page).count(), WAIT).toBe(1);
      await page.getByRole("button", { name: "Save view" }).click();
      await page.keyboard.type("The one");
      await page.keyboard.press("Enter");
      await view(page, "All").click();
      await expect.poll(() => rows(page).count(), WAIT).toBe(PAGE);
      await page.reload();
      await view(page, "The one").click();
      await expect.poll(() => rows(page).count(), WAIT).toBe(1);
      await rows(page).first().getByRole("link").press("Enter");
      await heading(page, "Call with Anna");
    });

    test("turns to older ones and back", async () => {
      const page = await dashboard.openAs(viewer.email, "/calls");
      await expect.poll(() => rows(page).count(), WAIT).toBe(PAGE);
      const newest = await rows(page).first().textContent();
      await page.getByRole("button", { name: "Older" }).click();
      await expect.poll(() => rows(page).first().textContent(), WAIT).not.toBe(newest);
      expect(await rows(page).count()).toBe(PAGE);
      await page.getByRole("button", { name: "Newest" }).click();
      await expect.poll(() => rows(page).first().textContent(), WAIT).toBe(newest);
    });
  },
);

/** Calls of the last half year, none of whose numbers holds 9876. */
async function fill(api: TestControlApi, { orgId, agentId }: TestOrganization): Promise<void> {
  await sql`insert into calls (id, session_id, org_id, agent_id, user_id, variables, node_id, channel, direction,
      from_number, to_number, status, created_at, started_at, ended_at, duration_secs)
    select 'cal_' || lpad(n::text, 8, '0'), 'ses_' || lpad(n::text, 8, '0'), ${orgId}, ${agentId}, 'usr_1', '{}', 'nod_1',
      'telephony', 'inbound', '+1202555' || lpad((n % 9000)::text, 4, '0'), '+12025550100', 'completed', at, at,
      at + interval '65 seconds', 65
    from (select n, now() - (${CALLS}::int - n) * interval '13 minutes' as at from generate_series(1, ${CALLS}::int) n) one`.execute(
    api.database.db,
  );
}
