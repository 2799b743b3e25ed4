import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { TestControlApi } from "./control-api.ts";
import { lentPage } from "./lent-page.ts";
import { builtPages } from "./pages.ts";
import { PASSWORD } from "./person.ts";

interface OpenOptions {
  readonly width?: number;
  readonly dark?: boolean;
  /** Errors of scripts that the test brings about. */
  readonly expects?: RegExp;
}

/** Chromium's messages about refusals and about a network that a test took away, and React's about code that did not come. */
const EXPECTED_FAULT = /the server responded with|net::ERR_INTERNET_DISCONNECTED|MissingCode: /;

/** Warnings and above, among pino's levels. */
const LOGGED_COMPLAINT = /"level":(?:"(?:warn|error|fatal)"|[456]0)/;

/** The built dashboard, served by a real control API, in a real browser. */
export class TestDashboard {
  readonly api: TestControlApi;
  readonly #closeProduct: () => Promise<void>;

  private constructor(api: TestControlApi, closeProduct: () => Promise<void>) {
    this.api = api;
    this.#closeProduct = closeProduct;
  }

  /** `options` go to the control API. */
  static async start(
    options: Omit<NonNullable<Parameters<typeof TestControlApi.start>[0]>, "pagesDir"> = {},
  ): Promise<TestDashboard> {
    const { dashboard } = await TestDashboard.over(async (pagesDir) => {
      const api = await TestControlApi.start({ ...options, pagesDir });
      return { api, close: () => api.close() };
    });
    return dashboard;
  }

  /** Starts a dashboard on a larger product, which is closed with the dashboard. */
  static async over<T extends { readonly api: TestControlApi; close(): Promise<void> }>(
    start: (pagesDir: string) => Promise<T>,
  ): Promise<{ dashboard: TestDashboard; product: T }> {
    const product = await start(await builtPages());
    const dashboard = new TestDashboard(product.api, () => product.close());
    return { dashboard, product };
  }

  address(path: string): string {
    return this.api.api.baseUrl + path;
  }

  /** An empty page in its own context until the test ends; a script error fails the test. */
  async open(path: string, { width = 1280, dark = false, expects }: OpenOptions = {}): Promise<Page> {
    const { page, giveBack } = await lentPage({ width, height: 900, dark });
    const faults: string[] = [];
    const note = (fault: string): void => void (expects?.test(fault) || faults.push(fault));
    page.on("pageerror", (error) => note(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !EXPECTED_FAULT.test(message.text())) note(message.text());
    });
    const unanswered = new Set<string>();
    page.on("request", (request) => unanswered.add(request.url()));
    page.on("requestfinished", (request) => unanswered.delete(request.url()));
    page.on("requestfailed", (request) => unanswered.delete(request.url()));
    onTestFinished(async ({ task }) => {
      const isFailed = task.result?.state === "fail";
      if (isFailed) await sayWhatIsShown(page, unanswered, this.api.logged);
      await giveBack(isFailed);
      expect(faults).toEqual([]);
    });
    await page.goto(this.address(path));
    return page;
  }

  /**
   * Opens a page as a person who signed in before: the sign-in page, which is a test of its own, would take
   * longer than most tests.
   */
  async openAs(email: string, path: string, options: OpenOptions = {}): Promise<Page> {
    const answer = await this.api.call("POST", "/api/auth/login", { body: { email, password: PASSWORD } });
    if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${answer.text}`);
    const { tokens } = answer.body.data as { tokens: { refreshToken: string } };
    const page = await this.open("/ui/parley.svg", options);
    await page.evaluate((token) => localStorage.setItem("parley-session", token), tokens.refreshToken);
    await page.goto(this.address(path));
    await wayToPages(page).waitFor();
    return page;
  }

  async close(): Promise<void> {
    await this.#closeProduct();
  }
}

/** Explains a failed wait in the test's output. */
async function sayWhatIsShown(
  page: Page,
  unanswered: ReadonlySet<string>,
  logged: readonly string[],
): Promise<void> {
  if (page.isClosed()) return;
  // Skips the sidebar, which is on every page.
  const parts = await page.locator("main, [role=dialog]").all();
  const shown = await Promise.all(parts.map((part) => part.ariaSnapshot({ timeout: 2_000 }).catch(String)));
  console.error(`The test left ${page.url()} showing:\n${shown.join("\n").slice(0, 4_000)}`);
  if (unanswered.size > 0) console.error(`Without an answer: ${[...unanswered].join(" ")}`);
  const complaints = logged.filter((line) => LOGGED_COMPLAINT.test(line)).slice(-20);
  if (complaints.length > 0) console.error(`The control API complained of:\n${complaints.join("")}`);
}

/** Waits for the page of this title. */
export function heading(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { name, level: 1, exact: true }).waitFor();
}

/** Fills in the visible sign-in page. */
export async function signIn(page: Page, identifier: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Email or mobile number").fill(identifier);
  await page.keyboard.press("Enter");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

/** Signs out through the account menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
}

/** The sidebar, or its menu button on a small screen: present once signed in. */
export function wayToPages(page: Page) {
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  return page.getByRole("navigation", { name: "Pages" }).or(menu).first();
}

/** Follows a sidebar link, which is in a drawer on a small screen. */
export async function goTo(page: Page, name: string): Promise<void> {
  await wayToPages(page).waitFor();
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
}

/** How many pixels the page is wider than the screen. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}
