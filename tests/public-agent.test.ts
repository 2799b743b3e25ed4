// Real time: a browser's microphone speaks, and a voice answers.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { silence } from "../testkit/audio-fixtures.ts";
import { headlessChromiumPath, needs } from "../testkit/needs.ts";
import { TestProduct } from "../testkit/product.ts";
import { TalkBrowser } from "../testkit/talk-browser.ts";

const SOON = { timeout: 90_000 };
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, colorScheme: "dark" } as const;

describe.runIf(needs("chromium"))("a public agent's page", { timeout: 240_000 }, () => {
  let product: TestProduct;
  let browser: TalkBrowser;
  let url: string;

  const set = async (
    settings: object,
  ): Promise<{ slug: string; publicUrl: string; embedSnippet: string }> => {
    const answer = await product.call("PATCH", `/api/agents/${product.demo.agentId}/public`, settings);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: { slug: string; publicUrl: string; embedSnippet: string } })
      .data;
  };
  beforeAll(async () => {
    product = await TestProduct.start();
    browser = await TalkBrowser.launch({
      executablePath: headlessChromiumPath() ?? "",
      microphone: silence(60_000),
    });
    const branding = { title: "Ask the pizzeria", greeting: "Tables, hours, orders.", accent: "#0f766e" };
    url = (await set({ isPublic: true, branding })).publicUrl;
  });
  afterAll(async () => {
    await browser.close();
    await product.remove();
  });
  const picture = async (page: Page, name: string): Promise<void> => {
    const directory = process.env.PICTURES;
    if (directory) await page.screenshot({ path: join(directory, `public-${name}.png`), fullPage: true });
  };

  it("talks: one press, the greeting, typed words between, and hangs up", async () => {
    const page = await browser.open(url);
    await page.getByRole("heading", { name: "Ask the pizzeria" }).waitFor(SOON);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "wide");
    await page.getByRole("button", { name: "Start talking" }).click();
    await page
      .getByRole("log")
      .getByText(/Hello, this is Parley/)
      .first()
      .waitFor(SOON);
    await picture(page, "talking");
    await page.getByRole("button", { name: "Hang up" }).click();
    await page.getByRole("button", { name: "Call again" }).waitFor(SOON);
    const errors = (await page.consoleMessages()).filter((message) => message.type() === "error");
    expect(errors.map((message) => message.text())).toEqual([]);
    await page.context().close();
  });

  it("asks what it is told to ask, and writes, on a phone in the dark", async () => {
    await set({ accessCode: "basil", lead: [{ field: "name", required: true }, { field: "email" }] });
    onTestFinished(async () => void (await set({ accessCode: null, lead: [] })));
    const page = await browser.open(url, PHONE);
    const write = page.getByRole("button", { name: "Type instead" });
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("Access code").fill("basil");
    await picture(page, "asked-phone-dark");
    expect(await accessibilityFaults(page)).toEqual([]);
    await write.click();
    await page.getByRole("textbox", { name: "Your message" }).fill("What are your opening hours?");
    await page.keyboard.press("Enter");
    await page
      .getByRole("log")
      .getByText(/eleven/)
      .waitFor(SOON);
    await picture(page, "chat-phone-dark");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.context().close();
    const leads = await product.call("GET", `/api/agents/${product.demo.agentId}/leads`);
    expect(await leads.json()).toMatchObject({ data: { leads: [{ fields: { name: "Ada" } }] } });
  });

  it("is embedded by sites on its list, under a strict policy of theirs, and by no other", async () => {
    const { embedSnippet } = await set({});
    const policy = `default-src 'none'; script-src ${product.demo.baseUrl}; frame-src ${product.demo.baseUrl}; img-src data:`;
    const html = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1>${embedSnippet}</html>`;
    const site = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy }).end(html);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void site.close());
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const visit = async (): Promise<Page> => {
      const page = await browser.open(origin);
      await page.getByRole("button", { name: "Talk to us" }).click();
      return page;
    };
    const refused = await visit();
    await expect
      .poll(async () => (await refused.consoleMessages()).map((message) => message.text()).join(), SOON)
      .toContain("frame-ancestors");
    await refused.context().close();
    await set({ embedOrigins: [origin] });
    const page = await visit();
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "Ask the pizzeria" }).waitFor(SOON);
    await picture(page, "embedded");
    await frame.getByRole("button", { name: "Type instead" }).click();
    await frame.getByRole("textbox", { name: "Your message" }).fill("What are your opening hours?");
    await page.keyboard.press("Enter");
    await frame
      .getByRole("log")
      .getByText(/eleven/)
      .waitFor(SOON);
    await frame.getByRole("button", { name: "End this chat" }).click();
    await frame.getByRole("button", { name: "Start talking" }).click();
    await frame
      .getByRole("log")
      .getByText(/Hello, this is Parley/)
      .first()
      .waitFor(SOON);
    await page.context().close();
  });

  it("says that nobody is there when the agent is private again", async () => {
    await set({ isPublic: false });
    const page = await browser.open(url);
    await page.getByText("There is no agent at this address anymore.").waitFor(SOON);
    await page.context().close();
  });
});
