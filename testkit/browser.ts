import { type Browser, chromium } from "playwright-core";
import { headlessChromiumPath } from "./needs.ts";

let launched: Promise<Browser> | undefined;

/** One Chromium per process; separate contexts isolate tests. Only after `needs("chromium")`. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: headlessChromiumPath() ?? "", args: ["--no-sandbox"] });
  return launched;
}
