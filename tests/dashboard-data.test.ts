import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, signIn, TestDashboard } from "../testkit/dashboard.ts";
import { isFine } from "../testkit/fine-page.ts";
import { keepCall } from "../testkit/kept-call.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import { TestPerson } from "../testkit/person.ts";

const TITLE = "Data";

describe.runIf(needs("chromium"))("the page for data in a browser", () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await TestDashboard.start({ env: { RECORDING_RETENTION_DAYS: "30" } });
  });
  afterAll(() => dashboard.close());

  const dialogOf = (page: Page) => page.getByRole("dialog");
  const retentionOf = async (owner: TestPerson) =>
    (await owner.call("GET", `/api/orgs/${owner.orgId}/retention`)).body.data;
  const policyOf = async (owner: TestPerson) =>
    (await owner.call("GET", `/api/orgs/${owner.orgId}/pii-policy`)).body.data;

  async function openedByOwner(): Promise<{ owner: TestPerson; page: Page }> {
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.openAs(owner.email, "/data");
    await heading(page, TITLE);
    return { owner, page };
  }

  test("an owner finds what is kept of a person, downloads it, and erases it after a question", async () => {
    const { owner, page } = await openedByOwner();
    await dashboard.api.registerNode();
    const made = await owner.call("POST", "/api/agents", {
      name: "Anna",
      brain: { url: "https://brain.example/" },
    });
    const { id: agentId } = made.body.data as { id: string };
    const key = await owner.call("POST", `/api/orgs/${owner.orgId}/api-keys`, { name: "k", role: "owner" });
    const { secret } = key.body.data as { secret: string };
    const org = { orgId: owner.orgId, agentId, keys: { owner: secret } } as TestOrganization;
    await keepCall(dashboard.api, org, { identifier: "ada@example.com", said: ["This is Ada"] });
    const panel = page.getByRole("region", { name: "Data of one person" });
    await panel.getByLabel("Phone number or identifier").fill("nobody@example.com");
    await panel.getByRole("button", { name: "Find" }).click();
    await panel.getByText("There are no calls or chats with this person, and they are on no list.").waitFor();
    await panel.getByLabel("Phone number or identifier").fill("ada@example.com");
    await panel.getByRole("button", { name: "Find" }).click();
    await panel.getByText("1 session: calls and chats 1 · things said 1 · recordings 1.").waitFor();
    const saved = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Download" }).click();
    expect((await saved).suggestedFilename()).toBe("personal-data.zip");
    await panel.getByRole("button", { name: "Erase" }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialogOf(page).getByRole("button", { name: "Erase" }).click();
    await panel.getByText("1 session erased.").waitFor();
  });

  test("the retention is changed at once when it gets longer, and after a question when it gets shorter", async () => {
    const { owner, page } = await openedByOwner();
    const panel = page.getByRole("region", { name: "Retention" });
    await panel.getByText("are kept 30 days after a call ends").waitFor();
    await panel.getByLabel("Forever", { exact: true }).check();
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("are kept forever.").waitFor();
    expect(await retentionOf(owner)).toMatchObject({ recordingRetentionDays: 0 });
    await panel.getByLabel("A number of days").check();
    await panel.getByLabel("Days", { exact: true }).fill("7");
    await panel.getByRole("button", { name: "Save" }).click();
    await dialogOf(page).getByRole("heading", { name: "Keep calls for 7 days only?" }).waitFor();
    await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
    expect(await retentionOf(owner)).toMatchObject({ recordingRetentionDays: 0 });
    await panel.getByRole("button", { name: "Save" }).click();
    await dialogOf(page).getByRole("button", { name: "Delete older calls" }).click();
    await panel.getByText("are kept 7 days after a call ends").waitFor();
    expect(await retentionOf(owner)).toMatchObject({ recordingRetentionDays: 7 });
  });

  test("a legal hold is started, and ended, after a question each", async () => {
    const { owner, page } = await openedByOwner();
    const panel = page.getByRole("region", { name: "Legal hold" });
    await panel.getByRole("button", { name: "Start legal hold" }).click();
    expect(await retentionOf(owner), "nothing happens before the answer").toMatchObject({ legalHold: false });
    await dialogOf(page).getByRole("button", { name: "Start legal hold" }).click();
    await panel.getByText("Neither retention nor people can delete anything in this organization.").waitFor();
    expect(await retentionOf(owner)).toMatchObject({ legalHold: true });
    await panel.getByRole("button", { name: "End legal hold" }).click();
    await dialogOf(page).getByRole("button", { name: "End legal hold" }).click();
    await panel.getByText("Suspends all deletion").waitFor();
    expect(await retentionOf(owner)).toMatchObject({ legalHold: false });
  });

  test("a policy is tried before it is saved, and saved as it was tried", async () => {
    const { owner, page } = await openedByOwner();
    const panel = page.getByRole("region", { name: "PII redaction" });
    await panel.getByRole("checkbox", { name: "Email addresses" }).check();
    await panel.getByLabel("Email addresses are masked as").fill("[mail]");
    await panel.getByRole("button", { name: "Add pattern" }).click();
    await panel.getByLabel("Name of pattern 1").fill("customer");
    await panel.getByLabel("Pattern of pattern 1").fill("CU-####");
    const box = panel.getByLabel("Preview before saving");
    await box.fill("4111 1111 1111 1111, ada@example.com, CU 1234");
    await panel.getByRole("button", { name: "Preview" }).click();
    await panel.getByText("[card_number], [mail], [customer]").waitFor();
    expect(await policyOf(owner)).toMatchObject({ rules: [{ rule: "card_number" }], patterns: [] });
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByText("Applies to new sessions.").first().waitFor();
    const saved = {
      country: "US",
      rules: [{ rule: "card_number" }, { rule: "email", mask: "[mail]" }],
      patterns: [{ name: "customer", pattern: "CU-####" }],
    };
    expect(await policyOf(owner)).toEqual(saved);
    await page.reload();
    expect(await panel.getByLabel("Pattern of pattern 1").inputValue()).toBe("CU-####");
    await panel.getByRole("button", { name: "Remove pattern 1" }).click();
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByText("Applies to new sessions.").first().waitFor();
    expect(await policyOf(owner)).toEqual({ ...saved, patterns: [] });
  });

  test("a policy that is wrong is refused with what to change, and stays as it was typed", async () => {
    const { page } = await openedByOwner();
    const panel = page.getByRole("region", { name: "PII redaction" });
    await panel.getByLabel("Card numbers are masked as").fill("0000");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByRole("alert").getByText("a mask without digits").waitFor();
    expect(await panel.getByLabel("Card numbers are masked as").inputValue()).toBe("0000");
    // Each wrong field of each row says so; the first has the focus, and what is mended is no longer complained of.
    await panel.getByLabel("Card numbers are masked as").fill("[card]");
    await panel.getByRole("alert").waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "Add pattern" }).click();
    await panel.getByLabel("Pattern of pattern 1").fill("#-");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Name must not be empty.").waitFor();
    await panel.getByText("Pattern must have at least 3 characters.").waitFor();
    const name = panel.getByLabel("Name of pattern 1");
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("a viewer reads how long calls are kept and is offered nothing that changes something", async () => {
    const owner = await TestPerson.register(dashboard.api);
    const viewer = await memberOnly(dashboard.api, owner.orgId, "viewer");
    const page = await dashboard.openAs(viewer.email, "/data");
    await page.getByText("Your role here is viewer.").waitFor();
    await page.getByText("are kept 30 days after a call ends").waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    expect(await page.getByRole("region", { name: "PII redaction" }).count()).toBe(0);
  });

  test.for([1280, 390])("axe finds nothing in light and in dark, and all fits: %i wide", async (width) => {
    const owner = await TestPerson.register(dashboard.api);
    const page = await dashboard.open("/data", { width });
    await signIn(page, owner.email);
    await heading(page, TITLE);
    const panel = page.getByRole("region", { name: "PII redaction" });
    await panel.getByRole("button", { name: "Add pattern" }).click();
    await panel.getByRole("button", { name: "Preview" }).click();
    await panel.getByRole("alert").waitFor();
    await isFine(page, "a pattern that is not filled in");
    await panel.getByLabel("Name of pattern 1").fill("customer");
    await panel.getByLabel("Pattern of pattern 1").fill("CU-####");
    await panel.getByRole("button", { name: "Preview" }).click();
    await panel.getByText("My card is [card_number]").waitFor();
    await page.getByLabel("A number of days").check();
    await page.getByLabel("Days", { exact: true }).fill("1");
    await isFine(page, "the page");
    await page.getByRole("region", { name: "Retention" }).getByRole("button", { name: "Save" }).click();
    await dialogOf(page).getByRole("heading", { name: "Keep calls for 1 day only?" }).waitFor();
    await isFine(page, "the question");
  });
});
