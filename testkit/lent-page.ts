import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { sharedBrowser } from "./browser.ts";

export interface PageLook {
  /** Pixels, of the window. */
  readonly width: number;
  readonly height: number;
  readonly dark: boolean;
}

interface Kept {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly devtools: CDPSession;
}

export interface LentPage {
  readonly page: Page;
  /** Another test may have it, without anything of this one's; `spoiled`, as by a test that failed, is closed. */
  giveBack(spoiled: boolean): Promise<void>;
}

/** Of this process. A page of its own would start a process and compile the product's scripts: 1.1 s of CPU. */
const idle: Kept[] = [];

/**
 * An empty page of the process's Chromium, alone in its context, as a new one would be: no cookies, no storage, no history, no
 * permissions. Not for who adds scripts or functions to the page, which no page is rid of again.
 */
export async function lentPage({ width, height, dark }: PageLook): Promise<LentPage> {
  const kept = idle.pop() ?? (await make());
  await kept.page.setViewportSize({ width, height });
  await kept.page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  return { page: kept.page, giveBack: (spoiled) => takeBack(kept, spoiled) };
}

async function make(): Promise<Kept> {
  const context = await (await sharedBrowser()).newContext();
  const page = await context.newPage();
  return { context, page, devtools: await context.newCDPSession(page) };
}

async function takeBack(kept: Kept, spoiled: boolean): Promise<void> {
  const { context, page, devtools } = kept;
  if (spoiled || page.isClosed()) return context.close();
  page.removeAllListeners();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  await context.clearPermissions();
  await forget(kept);
  await devtools.send("Page.resetNavigationHistory");
  await context.clearCookies();
  idle.push(kept);
}

/** What the product has stored, from an empty page of its origin: nothing runs there that could store it again. */
async function forget({ page, devtools }: Kept): Promise<void> {
  const { origin } = new URL(page.url());
  if (origin !== "null") {
    await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await page.goto(origin);
    await page.evaluate("sessionStorage.clear()");
    await page.unrouteAll();
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  }
  await page.goto("about:blank");
}
