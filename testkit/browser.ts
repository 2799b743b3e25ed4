import { type Browser, chromium } from "playwright-core";
import { chromiumPath } from "./needs.ts";

let launched: Promise<Browser> | undefined;

/** Chromium, one in a process and gone with it: a context of its own is what keeps a test apart. Only after `needs("chromium")`. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: chromiumPath() ?? "", args: ["--no-sandbox"] });
  return launched;
}
