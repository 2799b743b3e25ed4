import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NAVIGATION } from "../dashboard/app/navigation.ts";
import { ApiRequests } from "../testkit/api-requests.ts";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { goTo, heading, signIn, TestDashboard } from "../testkit/dashboard.ts";
import { isFine } from "../testkit/fine-page.ts";
import { keepCall } from "../testkit/kept-call.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { createOrganization, type TestOrganization } from "../testkit/organization.ts";
import { TestPerson } from "../testkit/person.ts";
import { picture } from "../testkit/softphone-pages.ts";

const WAIT = { timeout: 90_000 };
/** Requests to the API until a page is all there: whoever they are, its tokens, what it shows, and what changes. */
const MOST_REQUESTS = 4;
/** Pages that ask once more, for what depends on what they were told, or on the time. */
const ASK_MORE: readonly string[] = ["Home", "Analytics", "Members", "Billing"];
/** What is below is not seen at first on a phone. */
const FIRST_CONTENT_PX = 120;

describe.runIf(needs("chromium"))("the first page and what is around each page, in a browser", () => {
  let dashboard: TestDashboard;
  let organization: TestOrganization;
  let viewer: TestPerson;
  let developer: TestPerson;
  let owner: TestPerson;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    await dashboard.api.registerNode({ maxCalls: 100 });
    organization = await createOrganization(dashboard.api.database);
    await keepCall(dashboard.api, organization);
    viewer = await memberOnly(dashboard.api, organization.orgId, "viewer");
    developer = await memberOnly(dashboard.api, organization.orgId, "developer");
    owner = await memberOnly(dashboard.api, organization.orgId, "owner");
  });
  afterAll(() => dashboard.close());

  test("a newcomer is led to a first agent", async () => {
    const person = await TestPerson.register(dashboard.api);
    const page = await dashboard.openAs(person.email, "/");
    await heading(page, "Home");
    await page.getByText("Get your first agent talking").waitFor(WAIT);
    await picture(page, "home-empty");
    await page.getByRole("link", { name: "Create agent" }).click();
    await page.getByRole("dialog").waitFor(WAIT);
    expect(new URL(page.url()).pathname).toBe("/agents");
  });

  test("today is seen at a glance, and each figure leads to what it counts", async () => {
    const page = await dashboard.openAs(viewer.email, "/");
    const today = page.getByRole("list", { name: "Today" });
    await today.getByText("100%").waitFor(WAIT);
    expect(await page.getByText("Get your first agent talking").count()).toBe(0);
    await page.getByRole("region", { name: "Agents today" }).getByRole("link", { name: "Anna" }).waitFor();
    await page.getByRole("region", { name: "Recent calls" }).getByText("Completed").waitFor();
    await page.getByRole("columnheader", { name: "Calls" }).getByRole("button").click();
    await expect.poll(() => new URL(page.url()).search).toMatch(/^\?sort=-?calls$/);
    await today.getByRole("link", { name: "Live now" }).click();
    await heading(page, "Live calls");
  });

  test("the sign-in is resumed while the page's code is on its way, and an outline is there already", async () => {
    const page = await dashboard.openAs(viewer.email, "/");
    const resumed = page.waitForRequest(/\/api\/auth\/resume$/);
    const outlines: number[] = [];
    await page.route(/\/assets\/(shell|base)-[^/]*\.js$/, async (route) => {
      await resumed;
      outlines.push(await page.locator(".outline").count());
      await route.continue();
    });
    await page.goto(dashboard.address("/calls"), { waitUntil: "commit" });
    await heading(page, "Calls");
    expect(outlines, "both files waited for it").toEqual([1, 1]);
    expect(await page.locator(".outline").count()).toBe(0);
  });

  test("a page whose code cannot be loaded says so, and is there after a reload", async () => {
    const page = await dashboard.openAs(viewer.email, "/");
    await page.route(/\/assets\/(shell|base)-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
    await page.goto(dashboard.address("/calls"));
    await page.getByRole("alert").getByText("Check your connection").waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload" }).click();
    await heading(page, "Calls");
  });

  test("code that comes at the second attempt is shown as if nothing had been", async () => {
    const page = await dashboard.openAs(owner.email, "/keys");
    await heading(page, "API keys");
    let attempts = 0;
    await page.route(/\/assets\/create-key-dialog-[^/]*\.js$/, (route) => {
      attempts += 1;
      return attempts === 1 ? route.fulfill({ status: 404 }) : route.continue();
    });
    await page.getByRole("button", { name: "Create API key" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").waitFor(WAIT);
    expect(attempts).toBe(2);
    expect(await page.getByText("Part of this page could not be loaded").count()).toBe(0);
  });

  test("a dialog whose code does not come leaves the page as it is, and opens when tried again", async () => {
    const page = await dashboard.openAs(owner.email, "/keys");
    await heading(page, "API keys");
    await page.route(/\/assets\/create-key-dialog-[^/]*\.js$/, (route) =>
      route.abort("internetdisconnected"),
    );
    await page.getByRole("button", { name: "Create API key" }).first().click();
    const notice = page.getByRole("alert").filter({ hasText: "Part of this page could not be loaded" });
    await notice.getByRole("button", { name: "Reload" }).waitFor(WAIT);
    await heading(page, "API keys");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.unrouteAll();
    await notice.getByRole("button", { name: "Try again" }).press("Enter");
    await page.getByRole("dialog").getByLabel("Name").waitFor(WAIT);
    await expect.poll(() => notice.count(), WAIT).toBe(0);
  });

  test("a page that an update replaced says so in its place, and is there when tried again or reloaded", async () => {
    const page = await dashboard.openAs(owner.email, "/");
    await heading(page, "Home");
    await page.route(/\/assets\/members-page-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
    await goTo(page, "Members");
    await heading(page, "The page could not be loaded");
    // Whoever is on the softphone stays on it: nothing reloads by itself.
    expect(new URL(page.url()).pathname).toBe("/members");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await heading(page, "Members");
    await page.route(/\/assets\/audit-page-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
    await goTo(page, "Audit log");
    await heading(page, "The page could not be loaded");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload" }).click();
    await heading(page, "Audit log");
  });

  test("what changed between a page's loading and its listening is shown, too", async () => {
    const page = await dashboard.openAs(viewer.email, "/");
    let hold: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    await page.route(/\/(changes|incoming-calls)/, async (route) => {
      await held;
      await route.continue();
    });
    const asked = new ApiRequests(page);
    await page.goto(dashboard.address("/calls"));
    await heading(page, "Calls");
    await expect.poll(() => asked.paths.includes("/api/batch"), WAIT).toBe(true);
    const before = asked.paths.filter((path) => path === "/api/batch").length;
    hold();
    await expect
      .poll(() => asked.paths.filter((path) => path === "/api/batch").length, WAIT)
      .toBeGreaterThan(before);
  });

  test("a list shows all of its columns on a small laptop, and scrolls sideways on no screen", async () => {
    const identifier = "customer:wilhelmina.featherstonehaugh-montgomery@a-long-domain.example";
    await keepCall(dashboard.api, organization, { identifier });
    await dashboard.api.database.db
      .updateTable("calls")
      .set({ created_at: new Date("2026-10-28T11:44:07Z") })
      .where("identifier", "=", identifier)
      .execute();
    const chat = await keepCall(dashboard.api, organization);
    await dashboard.api.database.db
      .updateTable("calls")
      .set({
        channel: "whatsapp",
        direction: "whatsapp",
        from_number: "+999123456789012",
        duration_secs: 90_061,
      })
      .where("session_id", "=", chat.sessionId)
      .execute();
    const about = { agentId: organization.agentId, identifier, text: "Likes to be told what comes next." };
    const path = `/api/orgs/${organization.orgId}/memory`;
    expect((await owner.call("POST", path, about, organization.orgId)).status).toBe(201);
    const page = await dashboard.openAs(owner.email, "/calls", { width: 1024 });
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ["/calls", "/agents", "/members", "/memory", "/"]) {
        await page.goto(dashboard.address(path));
        await page.locator(".data-table-rows").first().waitFor(WAIT);
        const hidden = await page
          .locator(".data-table-rows")
          .evaluateAll((lists) => lists.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
        expect([width, path, Math.max(...hidden)]).toEqual([width, path, 0]);
      }
    }
  });

  test("no page asks the API for more than four things to be all there, most ask all they show ahead, and none asks for more", async () => {
    const page = await dashboard.openAs(owner.email, "/");
    await heading(page, "Home");
    // Once it is open, pages ask again for what may have changed.
    await page.route(/\/(changes|incoming-calls)/, () => undefined);
    // The answer to what is asked ahead ends early: whoever on the page wanted it asks a second time, and nobody else.
    let isFirst = true;
    await page.route("**/api/batch", async (route) => {
      const isAhead = isFirst;
      isFirst = false;
      await (isAhead ? route.fulfill({ body: "" }) : route.continue());
    });
    const asked = new ApiRequests(page);
    for (const { to, name } of NAVIGATION.flatMap(({ items }) => items)) {
      // The page before may still be asking.
      await page.goto("about:blank");
      asked.forget();
      isFirst = true;
      await page.goto(dashboard.address(to));
      await page.getByRole("heading", { level: 1 }).waitFor(WAIT);
      await expect.poll(() => asked.readOnce, { ...WAIT, message: `${name} asks ahead in vain` }).toEqual([]);
      await expect.poll(() => asked.areAnswered(), { ...WAIT, message: name }).toBe(true);
      expect(asked.firstReads.length, name).toBeGreaterThan(1);
      const paths = asked.pathsWithoutRepeats;
      const most = ASK_MORE.includes(name) ? MOST_REQUESTS : MOST_REQUESTS - 1;
      expect(paths.length, `${name}: ${paths.join(" ")}`).toBeLessThanOrEqual(most);
    }
  });

  test("pages and agents are found with the keyboard alone", async () => {
    const page = await dashboard.openAs(developer.email, "/");
    await heading(page, "Home");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor(WAIT);
    await page.keyboard.type("webh");
    await page.getByRole("option", { name: "Webhooks" }).waitFor(WAIT);
    await page.keyboard.press("Enter");
    await heading(page, "Webhooks");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor(WAIT);
    await page.keyboard.type("Ann");
    await page.getByRole("option", { name: "Anna" }).waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "palette");
    await page.keyboard.press("Enter");
    await heading(page, "Anna");
  });

  test.for([390, 1024, 1440])(
    "axe finds nothing in light and in dark, and all fits: %i wide",
    async (width) => {
      const page = await dashboard.open("/", { width });
      await signIn(page, owner.email);
      await heading(page, "Home");
      await page.getByRole("region", { name: "Recent calls" }).getByText("Completed").first().waitFor(WAIT);
      await isFine(page, "home");
      const { y = Number.NaN } = (await page.getByRole("heading", { level: 1 }).boundingBox()) ?? {};
      expect(y).toBeLessThan(FIRST_CONTENT_PX);
      if (width === 390) {
        await page.getByRole("button", { name: "Menu", exact: true }).click();
        await page.getByRole("dialog", { name: "Menu" }).waitFor();
        await isFine(page, "drawer");
        await page.keyboard.press("Escape");
        await goTo(page, "Members");
        await heading(page, "Members");
      }
      await page.getByRole("button", { name: "Notifications" }).click();
      const notices = page.getByText("Nothing needs attention.").first();
      await notices.waitFor();
      await isFine(page, "notifications");
      // Nothing of the page is over it.
      await notices.click({ trial: true });
    },
  );
});
