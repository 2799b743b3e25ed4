// Real time: a browser's microphone speaks, and a recognizer hears it as it comes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { overflowOf, signIn } from "../testkit/dashboard.ts";
import { needs } from "../testkit/needs.ts";
import { TestProduct } from "../testkit/product.ts";
import { TalkBrowser } from "../testkit/talk-browser.ts";

const SOON = { timeout: 90_000 };
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true } as const;

describe.runIf(needs("chromium") && needs("pocketsphinx"))("a first visit", { timeout: 240_000 }, () => {
  let product: TestProduct;
  let browser: TalkBrowser;

  beforeAll(async () => {
    product = await TestProduct.start();
    browser = await TalkBrowser.asking("What are your opening hours?");
  });
  afterAll(async () => {
    await browser.close();
    await product.remove();
  });

  it("of a newcomer: the screen says how to sign in, and their own agent has talked in the end", async () => {
    const page = await browser.open(product.demo.baseUrl);
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor(SOON);
    const owner =
      (await page.getByText("This server has a demo.").locator("code").first().textContent()) ?? "";
    expect(product.said(), "the terminal says so, too").toContain(`Sign in as          ${owner}`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await signIn(page, owner, product.demo.owner.password);

    await page.getByText("Get your first agent talking").waitFor(SOON);
    await page
      .getByRole("region", { name: "Get your first agent talking" })
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("button", { name: "Create agent" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: /^An endpoint of your own/ }).check();
    await dialog.getByLabel("Name", { exact: true }).fill("My own agent");
    await dialog.getByLabel("Address of your endpoint").fill(product.demo.brainUrl ?? "");
    await dialog.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("heading", { name: "My own agent", level: 1 }).waitFor(SOON);
    await page.getByRole("button", { name: "Talk", exact: true }).click();
    await dialog.getByRole("button", { name: "Type instead" }).click();
    await dialog.getByLabel("Type what you want to say").fill("What are your opening hours?");
    await page.keyboard.press("Enter");
    await dialog
      .getByRole("log")
      .getByText(/eleven/)
      .first()
      .waitFor(SOON);
    await page.keyboard.press("Escape");
    await dialog.getByRole("link", { name: "Open call" }).click(SOON);
    await page.getByRole("heading", { name: "Call with My own agent" }).waitFor(SOON);
    await page.goto(product.demo.baseUrl);
    await page.getByRole("list", { name: "Today" }).waitFor(SOON);
    expect(await page.getByText("Get your first agent talking").count()).toBe(0);
    await page.context().close();
  });

  it("of a visitor on a phone: one press, a question at the microphone, and its answer", async () => {
    const path = `/api/agents/${product.demo.agentId}/public`;
    const answer = await product.call("PATCH", path, {
      isPublic: true,
      branding: { title: "Ask the pizzeria" },
    });
    const { publicUrl } = ((await answer.json()) as { data: { publicUrl: string } }).data;
    const page = await browser.open(publicUrl, PHONE);
    await page.getByRole("heading", { name: "Ask the pizzeria" }).waitFor(SOON);
    expect(await overflowOf(page), "wider than the phone").toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Start talking" }).tap();
    const log = page.getByRole("log");
    await log
      .getByText(/Hello, this is Parley/)
      .first()
      .waitFor(SOON);
    await log
      .getByText(/open from eleven in the morning/)
      .first()
      .waitFor(SOON);
    expect(await overflowOf(page), "wider than the phone, in the call").toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Hang up" }).tap();
    await page.getByRole("button", { name: "Call again" }).waitFor(SOON);
    const errors = (await page.consoleMessages()).filter((message) => message.type() === "error");
    expect(errors.map((message) => message.text())).toEqual([]);
    await page.context().close();
  });
});
