import type { Role } from "@parley/shared/contracts/roles.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { phoneText } from "../dashboard/ui/phone-text.ts";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, TestDashboard } from "../testkit/dashboard.ts";
import { startFakeTwilio, TWILIO_ACCOUNT } from "../testkit/fakes/carriers/twilio.ts";
import { isFine } from "../testkit/fine-page.ts";
import { memberOnly } from "../testkit/members.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";
import { picture } from "../testkit/softphone-pages.ts";
import { STAY } from "../testkit/softphones.ts";
import { OUR_NUMBER, TestTelephony } from "../testkit/telephony.ts";

const WAIT = { timeout: 90_000 };
const PATH = "/numbers";
const GREETING = "Hello. How may I help?";
const CALLER = "+12025550103";

describe.runIf(needs("chromium"))("the page for numbers in a browser", () => {
  let dashboard: TestDashboard;
  let telephony: TestTelephony;
  let twilio: Awaited<ReturnType<typeof startFakeTwilio>>;
  let owner: TestPerson;
  let developer: TestPerson;

  beforeAll(async () => {
    twilio = await startFakeTwilio();
    const over = await TestDashboard.over((pagesDir) =>
      TestTelephony.start({
        pagesDir,
        apiEnv: { TWILIO_API_URL: twilio.url },
        settings: { firstResponse: GREETING },
      }),
    );
    dashboard = over.dashboard;
    telephony = over.product;
    telephony.phone(CALLER, { ringMs: 100, outcome: "answers", steps: [STAY] });
    [owner, developer] = [await join("owner"), await join("developer")];
  });
  afterAll(async () => {
    await dashboard.close();
    await twilio.close();
  });

  const join = (role: Role): Promise<TestPerson> =>
    memberOnly(dashboard.api, telephony.organization.orgId, role);
  const add = async (number: string, more: Record<string, unknown> = {}): Promise<string> => {
    const added = await telephony.request("POST", "/api/v1/numbers", { number, ...more });
    expect(added.status, added.text).toBe(201);
    return String(added.body.id);
  };
  const known = async (number: string): Promise<unknown> => {
    const { numbers } = (await telephony.request("GET", "/api/v1/numbers")).body;
    return (numbers as { number: string }[]).find((each) => each.number === number);
  };
  const dialog = (page: Page) => page.getByRole("dialog");
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).click();
  const inDialog = (page: Page, name: string): Promise<void> =>
    dialog(page).getByRole("button", { name, exact: true }).click();
  const rings = (page: Page) => dialog(page).getByLabel("Calls ring");
  /** What is said to be wrong of a field, as it is read out with it. */
  const faultOf = (page: Page, label: string): Promise<string> =>
    dialog(page)
      .getByLabel(label)
      .evaluate((field) => {
        const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
        const texts = ids.map((id) => document.getElementById(id));
        return texts.find((text) => text?.role === "alert")?.textContent ?? "";
      });

  test("an owner connects a carrier by form, which tries the credentials, and replaces them", async () => {
    const boss = await TestPerson.registerVerified(dashboard.api);
    const page = await dashboard.openAs(boss.email, PATH);
    await press(page, "Connect carrier");
    await dialog(page).getByLabel("Account SID").fill(TWILIO_ACCOUNT.accountSid);
    await dialog(page).getByLabel("Auth token", { exact: true }).fill("not-the-token");
    await inDialog(page, "Connect");
    await dialog(page).getByRole("alert").waitFor(WAIT);
    await dialog(page).getByLabel("Auth token", { exact: true }).fill(TWILIO_ACCOUNT.authToken);
    expect(await accessibilityFaults(page)).toEqual([]);
    await inDialog(page, "Connect");
    await page.getByText("Twilio connected.").waitFor(WAIT);

    await press(page, "Connect carrier");
    await dialog(page).getByText(`Connected: ${TWILIO_ACCOUNT.accountSid}.`, { exact: false }).waitFor(WAIT);
    await dialog(page).getByRole("button", { name: "Replace credentials" }).waitFor();
    await dialog(page).getByLabel("Carrier").selectOption("Vonage");
    await dialog(page).getByRole("button", { name: "Connect", exact: true }).waitFor();
    for (const name of ["Application ID", "Private key", "API key", "Signature secret"])
      expect(await dialog(page).getByLabel(name, { exact: true }).count(), name).toBe(1);
    await inDialog(page, "Cancel");
    await press(page, "Add number");
    const carriers = dialog(page).getByLabel("Carrier").locator("option:enabled");
    await expect
      .poll(() => carriers.allTextContents(), WAIT)
      .toEqual(["Simulated (no account)", `Twilio (${TWILIO_ACCOUNT.accountSid})`]);
  });

  test("an owner disconnects a carrier after reading which numbers stop working", async () => {
    const boss = await TestPerson.registerVerified(dashboard.api);
    const connected = await boss.call("POST", `/api/orgs/${boss.orgId}/carriers`, {
      carrier: "twilio",
      credentials: TWILIO_ACCOUNT,
    });
    expect(connected.status, connected.text).toBe(201);
    const { inboundUrl } = connected.body.data as { inboundUrl: string };
    const body = { number: "+12025550151", carrier: "twilio", label: "Support" };
    const added = await boss.call("POST", "/api/voice/numbers", body, boss.orgId);
    expect(added.status, added.text).toBe(201);
    const page = await dashboard.openAs(boss.email, PATH);
    const accounts = page.getByRole("region", { name: "Carrier accounts" });
    await accounts.getByText(inboundUrl).waitFor(WAIT);
    await isFine(page, "carrier-accounts");
    await press(page, "Replace credentials of Twilio");
    await dialog(page).getByText(`Connected: ${TWILIO_ACCOUNT.accountSid}.`, { exact: false }).waitFor(WAIT);
    await inDialog(page, "Cancel");
    await press(page, "Disconnect Twilio");
    await dialog(page).getByText("This number stops working at once").waitFor(WAIT);
    await dialog(page).getByText("+1 202 555 0151").waitFor();
    await isFine(page, "carrier-disconnect");
    await page.keyboard.press("Enter");
    await dialog(page).waitFor({ state: "hidden" });
    await accounts.getByText(inboundUrl).waitFor();
    await press(page, "Disconnect Twilio");
    await inDialog(page, "Disconnect");
    await page.getByText("Twilio disconnected.").waitFor(WAIT);
    await accounts.waitFor({ state: "detached" });
    const left = await boss.call("GET", `/api/orgs/${boss.orgId}/carriers`);
    expect(left.body.data).toEqual({ carriers: [], total: 0 });
  });

  test("a number is added for oneself, given to an agent, and taken away", async () => {
    const page = await dashboard.openAs(owner.email, PATH);
    await heading(page, "Numbers");
    await press(page, "Add number");
    await dialog(page).getByLabel("Number", { exact: true }).fill("+1 (202) 555-0131");
    const carriers = dialog(page).getByLabel("Carrier").locator("option");
    await carriers.getByText("Twilio (no account connected)").waitFor({ state: "attached" });
    expect(await carriers.and(page.locator(":enabled")).allTextContents()).toEqual([
      "Simulated (no account)",
    ]);
    await dialog(page).getByLabel("Label (optional)").fill("Front desk");
    await inDialog(page, "Add number");
    await page.getByText("+1 202 555 0131: Rings for you.").waitFor();
    expect(await known("+12025550131")).toMatchObject({
      carrier: "loopback",
      label: "Front desk",
      agentId: null,
      userId: owner.userId,
    });
    await press(page, "Change +1 202 555 0131");
    await rings(page).selectOption({ label: "Anna" });
    await press(page, "Save");
    await page.getByText("+1 202 555 0131: Answered by Anna.").waitFor();
    const { agentId } = telephony.organization;
    expect(await known("+12025550131")).toMatchObject({ label: "Front desk", agentId, userId: null });
    await press(page, "Unassign +1 202 555 0131");
    await dialog(page).getByText("Incoming calls will be rejected").waitFor();
    await press(page, "Unassign");
    await page.getByText("+1 202 555 0131: Answered by nobody.").waitFor();
    expect(await known("+12025550131")).toMatchObject({ agentId: null, userId: null });
  });

  test("what the API refuses is said at its field, which has the focus", async () => {
    await add("+12025550132");
    const colleague = await join("developer");
    const page = await dashboard.openAs(developer.email, PATH);
    await press(page, "Add number");
    await dialog(page).getByLabel("Number", { exact: true }).fill("202 555 0133");
    await inDialog(page, "Add number");
    await expect
      .poll(() => faultOf(page, "Number"), WAIT)
      .toMatch(/^Number must be E\.164: a \+ and 7 to 15 digits/);
    await dialog(page).getByLabel("Number", { exact: true }).fill("+12025550132");
    await rings(page).focus();
    await inDialog(page, "Add number");
    await expect.poll(() => faultOf(page, "Number"), WAIT).toBe("+12025550132 is already in use.");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("number");
    await dialog(page).getByLabel("Number", { exact: true }).fill("+12025550133");
    await rings(page).selectOption({ label: colleague.email });
    await dashboard.api.database.db
      .updateTable("memberships")
      .set({ role: "viewer" })
      .where("user_id", "=", colleague.userId)
      .execute();
    await inDialog(page, "Add number");
    await expect
      .poll(() => faultOf(page, "Calls ring"), WAIT)
      .toMatch(/^A member with role viewer cannot make calls/);
    expect(await known("+12025550133")).toBeUndefined();
  });

  test("a label is changed without a word about who has the number, whatever became of them", async () => {
    const colleague = await join("developer");
    await add("+12025550134", { userId: colleague.userId, agentId: telephony.organization.agentId });
    await add("+12025550135", { userId: colleague.userId });
    await dashboard.api.database.db
      .updateTable("memberships")
      .set({ role: "member" })
      .where("user_id", "=", colleague.userId)
      .execute();
    const page = await dashboard.openAs(developer.email, PATH);
    await page.getByText(`Answered by nobody: ${colleague.email} (member: may not call)`).waitFor();
    for (const shown of ["+1 202 555 0134", "+1 202 555 0135"]) {
      await press(page, `Change ${shown}`);
      await dialog(page).getByLabel("Label (optional)").fill("Sales");
      await press(page, "Save");
      await dialog(page).waitFor({ state: "hidden" });
    }
    const { userId } = colleague;
    expect(await known("+12025550134")).toMatchObject({
      label: "Sales",
      userId,
      agentId: telephony.organization.agentId,
    });
    expect(await known("+12025550135")).toMatchObject({ label: "Sales", userId, agentId: null });
  });

  test("who may only read sees whom each number rings, and whom to ask", async () => {
    const viewer = await join("viewer");
    await add("+12025550136", { userId: developer.userId });
    const page = await dashboard.openAs(viewer.email, PATH);
    await page.getByText(`Rings for ${developer.email}`).first().waitFor();
    await page.getByText("your role here is viewer").waitFor();
    const changing = page.getByRole("button", { name: /Add|Assign|Change|Unassign|Simulate/ });
    expect(await changing.count()).toBe(0);
    await page.getByRole("link", { name: "Softphone", exact: true }).click();
    const asks = page.getByText("ask an owner or admin under Members");
    await asks.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.getByRole("heading", { name: "Calls to you" }).count()).toBe(0);
    await asks.getByRole("link", { name: "Members" }).click();
    await heading(page, "Members");
  });

  test("a softphone without any number leads to where one is added", async () => {
    const page = await dashboard.openAs(
      (await TestPerson.registerVerified(dashboard.api)).email,
      "/softphone",
    );
    await page.getByText("No number rings here").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "softphone-without-number");
    await page.getByRole("link", { name: "Add one under Numbers" }).click();
    await heading(page, "Numbers");
    await page.getByText("No numbers yet.").waitFor();
    await press(page, "Add number");
    await dialog(page).getByLabel("Number", { exact: true }).fill("+12025550137");
    await inDialog(page, "Add number");
    await page.getByText("+1 202 555 0137: Rings for you.").waitFor();
    await page.getByRole("link", { name: "Softphone", exact: true }).click();
    await page.getByText("Calls to +1 202 555 0137 ring here.").waitFor();
    expect(await page.getByLabel("Call from").inputValue()).toBe("+12025550137");
  });

  test("an agent is called by a simulated phone, and answers it in the live calls", async () => {
    await add("+12025550138");
    const page = await dashboard.openAs(developer.email, PATH);
    await page.getByRole("button", { name: "Assign +1 202 555 0138" }).waitFor();
    expect(await page.getByRole("button", { name: "Simulate call to +1 202 555 0138" }).count()).toBe(0);
    await press(page, "Assign +1 202 555 0138");
    await rings(page).selectOption({ label: "Anna" });
    await press(page, "Save");
    await press(page, "Simulate call to +1 202 555 0138");
    await dialog(page).getByLabel("Caller", { exact: true }).selectOption({ label: "Answering machine" });
    expect(await dialog(page).getByLabel("Caller’s number").inputValue()).toBe(CALLER);
    await press(page, "Call now");
    await page.getByText("Answered by Anna.", { exact: false }).last().waitFor(WAIT);
    await page.getByRole("link", { name: "Follow live" }).click();
    await heading(page, "Live calls");
    const list = page.getByRole("region", { name: "Calls under way" });
    await list
      .getByRole("link", { name: phoneText(CALLER) })
      .getByText("Live", { exact: true })
      .waitFor(WAIT);
    await page.getByText("to +1 202 555 0138").waitFor();
    const log = page.getByRole("log", { name: "What is said" });
    await log.getByText(`Agent: ${GREETING}`).waitFor(WAIT);
    await press(page, "End call");
    await dialog(page).getByRole("button", { name: "End call" }).click();
    await page.getByText("No live calls.").waitFor(WAIT);
  });

  test("an agent's own page has its number called, too", async () => {
    await add("+12025550139", { agentId: telephony.organization.agentId });
    const path = `/agents/${telephony.organization.agentId}/access`;
    const page = await dashboard.openAs(developer.email, path);
    await press(page, "Simulate call to +12025550139");
    const called = dialog(page).getByLabel("Number to call");
    expect(await called.inputValue()).toBe("+12025550139");
    await dialog(page).getByLabel("Caller’s number").fill(CALLER);
    await press(page, "Call now");
    await page.getByText("calls +1 202 555 0139.").waitFor(WAIT);
    const href = await page.getByRole("link", { name: "Follow live" }).getAttribute("href");
    const sessionId = new URLSearchParams(href?.split("?")[1]).get("call") ?? "";
    await telephony.untilStatus(sessionId, "in-progress");
    await telephony.request("DELETE", `/api/sessions/${sessionId}`);
  });

  test("a number for an agent that was deleted meanwhile is refused in words", async () => {
    const agentId = await telephony.agent({});
    const page = await dashboard.openAs(developer.email, `/agents/${agentId}/access`);
    await press(page, "Add number");
    await dialog(page).getByLabel("Number", { exact: true }).fill("+12025550141");
    expect((await telephony.request("DELETE", `/api/agents/${agentId}`)).status).toBe(200);
    await inDialog(page, "Add number");
    await dialog(page).getByText(`There is no agent ${agentId} in this organization.`).waitFor(WAIT);
  });

  test("a call that cannot be simulated is explained at its field", async () => {
    const id = await add("+12025550140", { agentId: telephony.organization.agentId });
    const page = await dashboard.openAs(developer.email, PATH);
    await press(page, "Simulate call to +1 202 555 0140");
    await dialog(page).getByLabel("Caller’s number").fill("12");
    await press(page, "Call now");
    await expect
      .poll(() => faultOf(page, "Caller’s number"), WAIT)
      .toMatch(/^Caller’s number must be E\.164/);
    await dialog(page).getByLabel("Caller’s number").fill(CALLER);
    await telephony.request("PATCH", `/api/v1/numbers/${id}`, { agentId: null });
    await press(page, "Call now");
    await expect
      .poll(() => faultOf(page, "Number to call"), WAIT)
      .toMatch(/^No one answers calls to \+12025550140/);
  });

  test.for([1280, 390])("axe finds nothing in light and in dark, and all fits: %i wide", async (width) => {
    const number = `+1202555${5_000 + width}`;
    await add(number, { userId: owner.userId, label: "Front desk, second floor" });
    const page = await dashboard.openAs(owner.email, PATH, { width });
    await page.getByText("Rings for you").first().waitFor();
    await isFine(page, "numbers");
    await press(page, "Add number");
    await dialog(page).getByLabel("Number", { exact: true }).fill(OUR_NUMBER);
    await inDialog(page, "Add number");
    await dialog(page).getByText("is already in use").waitFor();
    await isFine(page, "number-refused");
    await press(page, "Cancel");
    await page
      .getByRole("button", { name: /^Change / })
      .first()
      .click();
    await isFine(page, "number-given");
    await press(page, "Cancel");
    await page
      .getByRole("button", { name: /^Unassign / })
      .first()
      .click();
    await isFine(page, "number-taken");
    await press(page, "Cancel");
    await page
      .getByRole("button", { name: /^Simulate call / })
      .first()
      .click();
    await isFine(page, "number-called");
  });
});
