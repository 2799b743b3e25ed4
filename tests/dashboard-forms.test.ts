import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, TestDashboard } from "../testkit/dashboard.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { createOrganization } from "../testkit/organization.ts";
import type { TestPerson } from "../testkit/person.ts";

describe.runIf(needs("chromium"))("forms that are checked with the API's contracts, in a browser", () => {
  let dashboard: TestDashboard;
  let owner: TestPerson;
  beforeAll(async () => {
    dashboard = await TestDashboard.start();
    const organization = await createOrganization(dashboard.api.database);
    owner = await memberOnly(dashboard.api, organization.orgId, "owner");
  });
  afterAll(() => dashboard.close());

  test("what is wrong is said at each field, in the field's name, before anything is sent; the focus goes to the first", async () => {
    const page = await dashboard.openAs(owner.email, "/channels");
    await page.getByRole("button", { name: "Connect number" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Phone number ID").fill("+1 555 0100");
    await dialog.getByLabel("Business account ID").fill("100200300");
    await dialog.getByLabel("App secret", { exact: true }).fill("short");
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
    await page.keyboard.press("Enter");
    await dialog.getByText("Phone number ID has to be digits only.").waitFor();
    await dialog.getByText("Access token must not be empty.").waitFor();
    await dialog.getByText("App secret must have at least 8 characters.").waitFor();
    const focused = dialog.getByLabel("Phone number ID");
    await expect.poll(() => focused.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(sent).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    // It goes as soon as the field is right, while the others stay.
    await focused.fill("1005550100");
    await dialog.getByText("Phone number ID has to be digits only.").waitFor({ state: "detached" });
    expect(await dialog.getByText("Access token must not be empty.").count()).toBe(1);
  });

  test("what the API refuses is said at its field, and nothing that was typed is lost", async () => {
    const page = await dashboard.openAs(owner.email, "/members");
    const invite = page.getByRole("region", { name: "Invite teammate" });
    await invite.getByLabel("Email").fill("nobody at home");
    await invite.getByLabel("Role").selectOption("admin");
    await invite.getByRole("button", { name: "Send invitation" }).click();
    await invite.getByRole("alert").waitFor();
    expect(await invite.getByRole("alert").textContent()).toMatch(/email/i);
    expect(await invite.getByLabel("Email").inputValue()).toBe("nobody at home");
    expect(await invite.getByLabel("Role").inputValue()).toBe("admin");
    // Once it is right, it is sent, and the form is ready for the next person.
    await invite.getByLabel("Email").fill("ada@example.com");
    await page.keyboard.press("Enter");
    await invite
      .getByRole("list", { name: "Open invitations" })
      .getByText(/^ada@example.com/)
      .waitFor();
    await expect.poll(() => invite.getByLabel("Email").inputValue()).toBe("");
    await expect.poll(() => invite.getByRole("alert").count()).toBe(0);
  });

  test("a number that is left out is not a zero, and one too large is refused in words", async () => {
    const page = await dashboard.openAs(owner.email, "/knowledge");
    await heading(page, "Knowledge");
    await page
      .getByRole("button", { name: /knowledge base/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Handbook");
    await page.keyboard.press("Enter");
    await heading(page, "Handbook");
    await page.getByRole("button", { name: "Add site" }).first().click();
    await dialog.getByLabel("First page").fill("nowhere");
    await dialog.getByLabel("Pages at most").fill("");
    await dialog.getByLabel("Links deep").fill("99");
    await page.keyboard.press("Enter");
    await dialog.getByText("First page must be a URL.").waitFor();
    await dialog.getByText("Pages at most must be a number.").waitFor();
    await dialog.getByText("Links deep must be at most 8.").waitFor();
  });

  test("forms on a page say it at each field as well, and keep what was typed when the API refuses it", async () => {
    const page = await dashboard.openAs(owner.email, "/security");
    await heading(page, "Security");
    const next = page.getByLabel("New password", { exact: true });
    const change = page.getByRole("button", { name: "Change password" });
    await next.fill("short");
    await change.press("Enter");
    await page.getByText("Current password must not be empty.").waitFor();
    await page.getByRole("alert").getByText("At least 8 characters.").waitFor();
    expect(await page.getByText("At least 8 characters.").count(), "said twice").toBe(1);
    const current = page.getByLabel("Current password", { exact: true });
    await expect.poll(() => current.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await current.fill("not the one it is");
    await next.fill("long enough to be one");
    await change.press("Enter");
    await page.getByRole("alert").getByText("The current password is wrong.").waitFor();
    expect(await next.inputValue()).toBe("long enough to be one");
  });
});
