import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { heading, overflowOf, TestDashboard } from "../testkit/dashboard.ts";
import { FakeGraphApi } from "../testkit/fakes/messaging/graph-api.ts";
import { FakeInstagram } from "../testkit/fakes/messaging/instagram.ts";
import { newContact, TestWhatsApp } from "../testkit/messaging.ts";
import { needs } from "../testkit/needs.ts";
import { TestPerson } from "../testkit/person.ts";
import { picture } from "../testkit/softphone-pages.ts";

const WAIT = { timeout: 90_000 };
const GREETING = {
  name: "appointment_reminder",
  language: "en",
  status: "APPROVED",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Hello {{1}}, see you on {{2}}." }],
};

describe.runIf(needs("chromium"))("the pages for WhatsApp in a browser", () => {
  let graph: FakeGraphApi;
  let instagram: FakeInstagram;
  let dashboard: TestDashboard;
  beforeAll(async () => {
    graph = await FakeGraphApi.start();
    instagram = await FakeInstagram.start();
    graph.templates.set(GREETING.name, GREETING);
    dashboard = await TestDashboard.start({
      env: { INTEGRATION_URLS: `whatsapp=${graph.url},instagram=${instagram.url}` },
      allowPrivateTargets: ["127.0.0.0/8"],
    });
  });
  afterAll(async () => {
    await dashboard.close();
    graph.close();
    instagram.close();
  });

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const dialog = (page: Page) => page.getByRole("dialog");
  const echo = (): Promise<TestWhatsApp> =>
    TestWhatsApp.start(dashboard.api, graph, (turn) => {
      turn.token(`You said: ${turn.request.query}`);
      turn.done();
    });

  test("a number is connected with what Meta shows, and says what to enter there", async () => {
    const person = await TestPerson.register(dashboard.api);
    const number = graph.addNumber();
    const page = await dashboard.openAs(person.email, "/channels");
    await heading(page, "WhatsApp");
    await page.getByText("No numbers yet").waitFor();
    await press(page, "Connect number");
    await page.getByLabel("Phone number ID").fill(number.phoneNumberId);
    await page.getByLabel("Business account ID").fill(number.businessAccountId);
    await page.getByLabel("Access token", { exact: true }).fill("not-the-token");
    await page.getByLabel("App secret", { exact: true }).fill(number.appSecret);
    await dialog(page).getByRole("button", { name: "Connect" }).click();
    await dialog(page).getByRole("alert").waitFor();
    await page.getByLabel("Access token", { exact: true }).fill(number.accessToken);
    await dialog(page).getByRole("button", { name: "Connect" }).click();

    await page.getByText("Webhook at Meta").waitFor(WAIT);
    await page.getByText("Verify token", { exact: true }).waitFor();
    await page.getByText("Hello {{1}}, see you on {{2}}.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, "Check now");
    await page.getByText("Checked with WhatsApp.").waitFor();

    await press(page, "Disconnect");
    await dialog(page).getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("No numbers yet").waitFor();
  });

  test("an Instagram account is connected, and what people write there is in the inbox", async () => {
    const person = await TestPerson.register(dashboard.api);
    const account = instagram.addAccount("acme.shop");
    const page = await dashboard.openAs(person.email, "/instagram");
    await heading(page, "Instagram");
    await page.getByText("No accounts yet").waitFor();
    await press(page, "Connect account");
    await page.getByLabel("Access token", { exact: true }).fill("not-the-token");
    await page.getByLabel("App secret", { exact: true }).fill(account.appSecret);
    await dialog(page).getByRole("button", { name: "Connect" }).click();
    await dialog(page).getByRole("alert").waitFor();
    await page.getByLabel("Access token", { exact: true }).fill(account.accessToken);
    await dialog(page).getByRole("button", { name: "Connect" }).click();
    await page.getByRole("heading", { name: "@acme.shop" }).waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, "Check now");
    await page.getByText("Checked with Instagram.").waitFor();

    const callbackUrl =
      (await page.locator("code", { hasText: "/api/public/instagram/" }).textContent()) ?? "";
    await instagram.post(
      callbackUrl,
      account,
      instagram.inbound(account, "900001", { text: "Are you open?" }),
    );
    await page.getByRole("link", { name: "Open inbox" }).click();
    await page.getByRole("link").filter({ hasText: "Are you open?" }).click();
    await page.getByLabel("Message", { exact: true }).fill("Until five.");
    await page.keyboard.press("Enter");
    await expect.poll(() => instagram.textsTo("900001"), WAIT).toEqual(["Until five."]);
    expect(await page.getByRole("button", { name: "Send template" }).count()).toBe(0);
  });

  test("a teammate reads along, takes a conversation over, and hands it back", async () => {
    const whatsApp = await echo();
    const contact = newContact();
    await whatsApp.say(contact, "Are you open today?");
    await whatsApp.textsTo(contact, 1);
    const page = await dashboard.openAs(whatsApp.person.email, "/inbox");
    await heading(page, "Inbox");
    await page
      .getByRole("link")
      .filter({ hasText: `+${contact}` })
      .click();
    await page.getByLabel("Messages").getByText("You said: Are you open today?").waitFor(WAIT);
    await page.getByText("The agent answers").waitFor();

    await page.getByLabel("Message", { exact: true }).fill("This is Bo. We close at five.");
    await page.keyboard.press("Enter");
    await page.getByText("Your team answers").waitFor(WAIT);
    expect(await whatsApp.textsTo(contact, 2)).toContain("This is Bo. We close at five.");
    await press(page, "Send template");
    await page.getByLabel("{{1}}").fill("Ann");
    await page.getByLabel("{{2}}").fill("Friday");
    await dialog(page).getByRole("button", { name: "Send" }).click();
    await page.getByRole("listitem").filter({ hasText: "appointment_reminder" }).waitFor(WAIT);

    await press(page, "Hand back to agent");
    await page.getByText("The agent answers").waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
    whatsApp.close();
  });

  test("a developer writes to the people of a spreadsheet with a template, and sees how far each message came", async () => {
    const whatsApp = await echo();
    const page = await dashboard.openAs(whatsApp.person.email, "/whatsapp-campaigns");
    await heading(page, "WhatsApp campaigns");
    await page.getByText("No campaigns yet.").waitFor(WAIT);
    await press(page, "Create campaign");
    await page.getByLabel("Name", { exact: true }).fill("Reminders");
    await page.getByText("Hello {{1}}, see you on {{2}}.").waitFor(WAIT);
    await page.getByLabel("Column for {{1}}").fill("First name");
    await page.getByLabel("Column for {{2}}").fill("day");
    await page.getByLabel("Days").selectOption("Every day");
    await page.getByLabel("From", { exact: true }).fill("00:00");
    await page.getByLabel("Until").fill("23:59");
    await page.getByLabel("Messages per minute").fill("600");
    await page.getByLabel("Budget in US dollars (optional)").fill("5.00");
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "whatsapp-campaign-new");
    await dialog(page).getByRole("button", { name: "Create campaign" }).click();

    await heading(page, "Reminders");
    const [ann, bo] = [newContact(), newContact()];
    const text = `Vorname;First name;day;Nummer\nx;Ann;Friday;+${ann}\nx;Bo;Monday;+${bo}\n`;
    const file = { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(`\uFEFF${text}`) };
    await page.getByLabel("CSV file").setInputFiles(file);
    await page.getByRole("combobox", { name: "Use Vorname as" }).selectOption("Nothing");
    await press(page, "Add people");
    await page.getByText("Choose which column has the numbers.").waitFor(WAIT);
    await page.getByRole("combobox", { name: "Use Nummer as" }).selectOption("Number");
    await picture(page, "whatsapp-campaign-columns");
    await press(page, "Add people");
    await page.getByText("Added 2.").waitFor(WAIT);
    await press(page, "Start");
    await page.getByText("Done", { exact: true }).first().waitFor(WAIT);
    expect(await page.getByRole("button", { name: "Start" }).count(), "nobody is left").toBe(0);
    const sent = graph.sent.find(({ to }) => to === ann);
    expect(JSON.stringify(sent?.body)).toContain(
      '[{"type":"text","text":"Ann"},{"type":"text","text":"Friday"}]',
    );
    if (sent) await whatsApp.post(graph.status(whatsApp.number, sent, "read"));
    await page.reload();
    await page.getByRole("row").filter({ hasText: ann }).getByText("Read").waitFor(WAIT);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "whatsapp-campaign");
    const phone = await dashboard.openAs(whatsApp.person.email, new URL(page.url()).pathname, {
      width: 390,
      dark: true,
    });
    await phone.getByRole("row").filter({ hasText: ann }).getByText("Read").waitFor(WAIT);
    expect(await overflowOf(phone)).toBe(0);
    expect(await accessibilityFaults(phone)).toEqual([]);
    await picture(phone, "whatsapp-campaign-phone");
    await phone.getByRole("row").filter({ hasText: ann }).getByRole("link", { name: "Open" }).click();
    await heading(phone, "Inbox");
    whatsApp.close();
  });

  test("on a phone in the dark the inbox shows the list, then the conversation", async () => {
    const whatsApp = await echo();
    const contact = newContact();
    await whatsApp.say(contact, "A word that is so long that it has no place on a phone: ".padEnd(200, "x"));
    await whatsApp.textsTo(contact, 1);
    const page = await dashboard.openAs(whatsApp.person.email, "/inbox", { width: 390, dark: true });
    await heading(page, "Inbox");
    expect(await overflowOf(page)).toBe(0);
    await page
      .getByRole("link")
      .filter({ hasText: `+${contact}` })
      .click();
    await page.getByLabel("Message", { exact: true }).waitFor(WAIT);
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "inbox-thread-phone");
    await page.setViewportSize({ width: 1280, height: 900 });
    await picture(page, "inbox-thread");
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByRole("link", { name: "All conversations" }).click();
    await page.getByRole("navigation", { name: "Conversations" }).waitFor();
    whatsApp.close();
  });
});
