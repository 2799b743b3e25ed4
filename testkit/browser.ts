import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { headlessChromiumPath } from "./needs.ts";

let launched: Promise<Browser> | undefined;

/** One Chromium per process; separate contexts isolate tests. Only after `needs("chromium")`. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: headlessChromiumPath() ?? "", args: ["--no-sandbox"] });
  return launched;
}

/** What a page has to become ready for a click, or to show what is awaited: it says that nothing came, not that the machine is slow. */
const PATIENCE_MS = 90_000;

/** A context whose pages are waited for as long as a busy machine may take. */
export async function patientContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}
