import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import { overflowOf } from "../testkit/dashboard.ts";
import { lentPage } from "../testkit/lent-page.ts";
import { looksOf } from "../testkit/looks.ts";
import { needs } from "../testkit/needs.ts";
import { builtPages } from "../testkit/pages.ts";
import { picture } from "../testkit/softphone-pages.ts";

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

  async function open(path: string, look: { width: number; dark: boolean }): Promise<Page> {
    const { page, giveBack } = await lentPage({ height: 900, ...look });
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

  test.each([
    { width: 1280, dark: false },
    { width: 1280, dark: true },
    { width: 390, dark: false },
    { width: 390, dark: true },
  ])("look as they are kept: $width wide, dark $dark", async (look) => {
    const name = `${look.width}-${look.dark ? "dark" : "light"}`;
    const page = await open("/gallery.html", look);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await picture(page, `components-${name}`);
    // The first button shows how the focus looks.
    await page.keyboard.press("Tab");
    const looks = [await looksOf(page)];
    for (const kind of BUTTONS) looks.push(...(await looksTouched(page, kind)));
    for (const overlay of OVERLAYS) {
      await page.goto(`${ORIGIN}/gallery.html?show=${overlay}`);
      await page.locator("[data-specimen]").waitFor();
      if (OPENED.includes(overlay)) await page.locator("[data-specimen] .menu-button").click();
      for (const key of REACHED[overlay] ?? []) await page.keyboard.press(key);
      if (overlay !== "toasts") await page.locator(BOX).first().waitFor();
      if (overlay === "toasts") await expect.poll(() => page.locator(".toast").count()).toBe(2);
      expect(await accessibilityFaults(page), overlay).toEqual([]);
      looks.push(await looksOf(page));
    }
    await expect(looks.join("\n")).toMatchFileSnapshot(`looks/components-${name}.txt`);
  });
});

/** A kind of button under the pointer, then with the focus. */
async function looksTouched(page: Page, kind: string): Promise<string[]> {
  const specimen = `[data-specimen="button ${kind}"]`;
  const button = page.locator(`${specimen} .pf-btn`).first();
  await button.hover();
  const hovered = await looksOf(page, specimen);
  await page.mouse.move(0, 0);
  await button.focus();
  const focused = await looksOf(page, specimen);
  return [`hovered: ${hovered}`, `focused: ${focused}`];
}
