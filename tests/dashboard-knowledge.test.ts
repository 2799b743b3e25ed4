import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { pdfFile } from "../testkit/office-files.ts";

const WAIT = { timeout: 90_000 };

describe.runIf(needs("chromium"))("the pages for knowledge in a browser", () => {
  let dashboard: TestDashboard;
  beforeAll(async () => {
    dashboard = await TestDashboard.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  });
  afterAll(() => dashboard.close());

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const dialog = (page: Page) => page.getByRole("dialog");
  const row = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });

  test("a developer makes a base, adds a file and a text, and sees what a caller's question would find", async () => {
    const organization = await dashboard.api.createOrganization();
    const developer = await memberOnly(dashboard.api, organization.orgId, "developer");
    const page = await dashboard.openAs(developer.email, "/knowledge");
    await heading(page, "Knowledge");
    await page.getByText("No knowledge bases yet.").waitFor();
    await press(page, "Create knowledge base");
    await page.getByLabel("Name", { exact: true }).fill("Help center");
    await dialog(page).getByRole("button", { name: "Create" }).click();
    await heading(page, "Help center");

    await press(page, "Upload files");
    const files = page.getByLabel("Files", { exact: true });
    await files.setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: Buffer.from("x") });
    await dialog(page).getByRole("button", { name: "Upload" }).click();
    await dialog(page).getByText("photo.png cannot be read.").waitFor();
    const buffer = Buffer.from(pdfFile(["The museum opens at noon."]));
    await files.setInputFiles({ name: "museum.pdf", mimeType: "application/pdf", buffer });
    await dialog(page).getByRole("button", { name: "Upload" }).click();
    await row(page, "museum.pdf").getByText("1 passage").waitFor(WAIT);

    await press(page, "Add text");
    await page.getByLabel("Name", { exact: true }).fill("Tickets");
    await page.getByLabel("Text", { exact: true }).fill("# Prices\n\nChildren enter free.");
    await dialog(page).getByRole("button", { name: "Add" }).click();
    await row(page, "Tickets").getByText("1 passage").waitFor(WAIT);

    await page.getByLabel("What a caller might ask").fill("Is it free for my children?");
    await press(page, "Search");
    await page.getByText("Tickets › Prices").waitFor();
    await page.getByText("Children enter free.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel("What a caller might ask").fill("Do you sell bicycles?");
    await press(page, "Search");
    await page.getByText("An agent would say that it doesn’t know.").waitFor();

    await press(page, "Delete Tickets");
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await page.getByText("Tickets deleted.").waitFor();
    await press(page, "Delete");
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await page.getByText("No knowledge bases yet.").waitFor();
  });

  test("a page that cannot be read says why, on a phone in the dark as well", async () => {
    const organization = await dashboard.api.createOrganization();
    const developer = await memberOnly(dashboard.api, organization.orgId, "developer");
    const bases = `/api/orgs/${organization.orgId}/knowledge-bases`;
    const key = organization.keys.developer;
    const made = await dashboard.api.call("POST", bases, { key, body: { name: "Site" } });
    const { id } = made.body.data as { id: string };
    const body = { type: "url", name: "Terms", url: `${dashboard.address("/")}api/missing` };
    await dashboard.api.call("POST", `${bases}/${id}/documents`, { key, body });
    const page = await dashboard.openAs(developer.email, `/knowledge/${id}`, { width: 390, dark: true });
    await heading(page, "Site");
    await row(page, "Terms").getByText("The server of the address returned 404.").waitFor(WAIT);
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("a site is added by its first page; how far it is, its pages and what went wrong stand below it", async () => {
    const organization = await dashboard.api.createOrganization();
    const developer = await memberOnly(dashboard.api, organization.orgId, "developer");
    const key = organization.keys.developer;
    const bases = `/api/orgs/${organization.orgId}/knowledge-bases`;
    const made = await dashboard.api.call("POST", bases, { key, body: { name: "Inn" } });
    const { id } = made.body.data as { id: string };
    const site = createServer((request, response) => {
      const pages = new Map([
        [
          "/",
          '<title>Inn</title><p>Rooms by the lake.</p><a href="/menu">Menu</a><a href="/map.pdf">Map</a>',
        ],
        ["/menu", "<title>Menu</title><p>Soup of the day.</p>"],
        ["/map.pdf", "no map"],
      ]);
      const body = pages.get(request.url ?? "");
      const type = request.url === "/map.pdf" ? "application/pdf" : "text/html";
      response.writeHead(body === undefined ? 404 : 200, { "content-type": type }).end(body);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void site.close());
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    const page = await dashboard.openAs(developer.email, `/knowledge/${id}`, { width: 390 });
    await heading(page, "Inn");
    await press(page, "Add site");
    await page.getByLabel("First page", { exact: true }).fill(url);
    await dialog(page).getByRole("button", { name: "Add site" }).click();
    await page.getByText("2 pages, 1 could not be read").waitFor(WAIT);
    await page.getByText("Pages", { exact: true }).click();
    await row(page, "Menu").getByText("1 passage").last().waitFor();
    await page.getByText("no PDF that can be read").waitFor();
    expect(await overflowOf(page)).toBe(0);
    // The bar on top of the page covers what was scrolled below it.
    await page.evaluate(() => scrollTo(0, 0));
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, `Delete ${url}`);
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await page.getByText("No documents yet.").waitFor();
  });

  test("a viewer reads and searches, and changes nothing", async () => {
    const organization = await dashboard.api.createOrganization();
    const viewer = await memberOnly(dashboard.api, organization.orgId, "viewer");
    const page = await dashboard.openAs(viewer.email, "/knowledge");
    await page.getByText("Your role here is viewer.").waitFor();
    expect(await page.getByRole("button", { name: "Create knowledge base" }).count()).toBe(0);
  });
});
