import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { inBothSchemes, isFine } from "../testkit/fine-page.ts";
import { lentPage } from "../testkit/lent-page.ts";
import { looksOf } from "../testkit/looks.ts";
import { needs } from "../testkit/needs.ts";
import { builtPages } from "../testkit/pages.ts";

const ORIGIN = "http://components.test";
const DIALOGS = ["dialog", "wide-dialog", "form", "form-refused", "form-danger"];
/** A button opens each. */
const OPENED = ["menu", "popover"];
/** These keys do. */
const REACHED: Readonly<Record<string, readonly string[]>> = {
  tip: ["Tab"],
  "long-choice": ["Tab", "Space"],
};
const OVERLAYS = [...DIALOGS, ...OPENED, ...Object.keys(REACHED), "toasts"];
const BOX = ["dialog", "menu", "tooltip", "listbox"].map((role) => `[role=${role}]`).join();
const BUTTONS = ["plain", "primary", "danger", "quiet"];
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

/** What is kept is in `tests/looks`; `npx vitest run tests/component-looks -u` takes it anew. */
describe.runIf(needs("chromium"))("the components, in each of their states", () => {
  let built: string;
  beforeAll(async () => {
    built = await builtPages();
  });

  async function open(path: string, width: number): Promise<Page> {
    const { page, giveBack } = await lentPage({ height: 900, width, dark: false });
    onTestFinished(({ task }) => giveBack(task.result?.state === "fail"));
    await page.route(`${ORIGIN}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      const contentType = TYPES[pathname.split(".").at(-1) ?? ""] ?? "application/octet-stream";
      await route.fulfill({ contentType, body: await readFile(join(built, pathname)) });
    });
    await page.goto(ORIGIN + path);
    await page.locator("[data-specimen]").first().waitFor();
    return page;
  }

  test.for([1280, 390])("look as they are kept, in light and in dark: %i wide", async (width) => {
    const page = await open("/gallery.html", width);
    await isFine(page, "components");
    const looks = { dark: [] as string[], light: [] as string[] };
    // The first button shows how the focus looks.
    await page.keyboard.press("Tab");
    await inBothSchemes(page, async (scheme) => void looks[scheme].push(await looksOf(page)));
    for (const kind of BUTTONS) {
      for (const touch of [hover, focus]) {
        const [word, shown] = await touch(page, kind);
        await inBothSchemes(
          page,
          async (scheme) => void looks[scheme].push(`${word}: ${await looksOf(page, shown)}`),
        );
      }
    }
    for (const overlay of OVERLAYS) {
      await page.goto(`${ORIGIN}/gallery.html?show=${overlay}`);
      await page.locator("[data-specimen]").waitFor();
      if (OPENED.includes(overlay)) await page.locator("[data-specimen] .menu-button").click();
      for (const key of REACHED[overlay] ?? []) await page.keyboard.press(key);
      if (overlay !== "toasts") await page.locator(BOX).first().waitFor();
      if (overlay === "toasts") await expect.poll(() => page.locator(".toast").count()).toBe(2);
      await inBothSchemes(page, async (scheme) => {
        const faults = await accessibilityFaults(page, scheme === "dark" ? "colors" : "all");
        expect(faults, `${overlay}, ${scheme}`).toEqual([]);
        looks[scheme].push(await looksOf(page));
      });
    }
    for (const [scheme, seen] of Object.entries(looks))
      await expect(seen.join("\n")).toMatchFileSnapshot(`looks/components-${width}-${scheme}.txt`);
  });
});

/** Touches a kind of button. @returns how, and its specimen */
type Touch = (page: Page, kind: string) => Promise<[string, string]>;

const specimenOf = (kind: string): string => `[data-specimen="button ${kind}"]`;

const hover: Touch = async (page, kind) => {
  await page
    .locator(`${specimenOf(kind)} .pf-btn`)
    .first()
    .hover();
  return ["hovered", specimenOf(kind)];
};

const focus: Touch = async (page, kind) => {
  await page.mouse.move(0, 0);
  await page
    .locator(`${specimenOf(kind)} .pf-btn`)
    .first()
    .focus();
  return ["focused", specimenOf(kind)];
};
