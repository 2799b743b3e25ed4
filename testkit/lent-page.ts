import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { patientContext, sharedBrowser } from "./browser.ts";

export interface PageLook {
  /** Window size in pixels. */
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
  /** Returns the page, cleaned, for another test; a `spoiled` one, as after a failure, is closed. */
  giveBack(spoiled: boolean): Promise<void>;
}

/**
 * Idle pages of this process. A fresh page would start a process and compile the product's scripts: 1.1 s of
 * CPU.
 */
const idle: Kept[] = [];

/**
 * An empty page of the process's Chromium in its own context, like a new one: no cookies, storage, history or
 * permissions. Unsuitable for tests that add scripts or functions to the page, which cannot be removed again.
 */
export async function lentPage({ width, height, dark }: PageLook): Promise<LentPage> {
  const kept = idle.pop() ?? (await make());
  await kept.page.setViewportSize({ width, height });
  await kept.page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  return { page: kept.page, giveBack: (spoiled) => takeBack(kept, spoiled) };
}

async function make(): Promise<Kept> {
  const context = await patientContext(await sharedBrowser());
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

/**
 * Clears the product's storage while its scripts are off: nothing there can store anything again. An empty answer to a route
 * would do as well, but routes empty the cache of scripts, and the next test would compile them anew: 0.25 s of CPU.
 */
async function forget({ page, devtools }: Kept): Promise<void> {
  const { origin } = new URL(page.url());
  if (origin !== "null") {
    await devtools.send("Emulation.setScriptExecutionDisabled", { value: true });
    // Of the tab, not of the origin: only a page of that origin has it.
    await devtools.send("DOMStorage.clear", { storageId: { securityOrigin: origin, isLocalStorage: false } });
  }
  await page.goto("about:blank");
  if (origin !== "null") {
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await devtools.send("Emulation.setScriptExecutionDisabled", { value: false });
  }
}
