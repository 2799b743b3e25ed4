import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { BrainTurn } from "./brain.ts";
import { patientContext, sharedBrowser } from "./browser.ts";
import { TestChats } from "./chat.ts";
import { TestControlApi } from "./control-api.ts";
import { builtPages } from "./pages.ts";
import { type ShopOptions, TestShop } from "./shop.ts";
import { SteppingClock } from "./stepping-clock.ts";

export const SOON = { timeout: 90_000 };

export interface Visit {
  readonly page: Page;
  readonly shop: TestShop;
}

/** Shops with the chat widget as it ships, an agent whose brain a test writes, and a browser to visit them. */
export class TestWidgets {
  readonly clock: SteppingClock;
  readonly api: TestControlApi;
  readonly chats: TestChats;
  readonly browser: Browser;
  /** The brain's reaction to the next messages. */
  answer: (turn: BrainTurn) => void = () => undefined;

  private constructor(parts: Pick<TestWidgets, "clock" | "api" | "chats" | "browser">) {
    this.clock = parts.clock;
    this.api = parts.api;
    this.chats = parts.chats;
    this.browser = parts.browser;
  }

  static async start(): Promise<TestWidgets> {
    const clock = new SteppingClock();
    const api = await TestControlApi.start({
      clock,
      pagesDir: await builtPages(),
      allowPrivateTargets: ["127.0.0.0/8"],
    });
    let widgets: TestWidgets;
    const chats = await TestChats.start(api, (turn) => widgets.answer(turn));
    const browser = await sharedBrowser();
    widgets = new TestWidgets({ clock, api, chats, browser });
    return widgets;
  }

  /** A visitor on a shop's page with the chat open; script errors and policy violations fail the test. */
  async visit(
    options: ShopOptions & { width?: number; dark?: boolean; locale?: string; launcher?: string } = {},
  ): Promise<Visit> {
    const { width = 1280, dark = false, locale = "en-US", launcher = "Open chat" } = options;
    const shop = await TestShop.open(this.api, this.chats.organization, options);
    const context = await patientContext(this.browser, {
      viewport: { width, height: 800 },
      locale,
      colorScheme: dark ? "dark" : "light",
    });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !/responded with|Failed to load resource/.test(message.text()))
        faults.push(message.text());
    });
    onTestFinished(async () => {
      await context.close();
      shop.close();
      expect(faults).toEqual([]);
    });
    await page.goto(shop.url);
    await page.getByRole("button", { name: launcher }).click();
    return { page, shop };
  }

  async close(): Promise<void> {
    this.chats.close();
    await this.api.close();
  }
}

/** A brain that says this. */
export const saying =
  (...tokens: string[]) =>
  (turn: BrainTurn): void => {
    for (const token of tokens) turn.token(token);
    turn.done();
  };

/** The visitor's input field. */
export const messageBox = (page: Page) => page.getByRole("textbox", { name: "Your message" });

/** Waits until the answer is complete. */
export const quiet = (page: Page) => page.locator('.send[aria-disabled="false"]').waitFor();

export async function write(page: Page, text: string): Promise<void> {
  await quiet(page);
  await messageBox(page).fill(text);
  await page.keyboard.press("Enter");
}

/** The conversation's texts, without speakers. */
export async function said(page: Page): Promise<string[]> {
  const texts = await page.locator(".log > div").allTextContents();
  return texts.map((text) => text.replace(/^(You|Answer): /, ""));
}

/** The focused element in the widget, by name or id. */
export const focusedIn = (page: Page) =>
  page.evaluate(() => {
    const inside = document.activeElement?.shadowRoot?.activeElement;
    return inside?.getAttribute("aria-label") ?? (inside?.id || inside?.textContent);
  });
