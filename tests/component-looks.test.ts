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
const OVERLAYS = ["dialog", "wide-dialog", "form", "form-refused", "form-danger"];
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
    for (const overlay of OVERLAYS) {
      await page.goto(`${ORIGIN}/gallery.html?show=${overlay}`);
      await page.locator("[data-specimen]").waitFor();
      expect(await accessibilityFaults(page), overlay).toEqual([]);
      looks.push(await looksOf(page));
    }
    await expect(looks.join("\n")).toMatchFileSnapshot(`looks/components-${name}.txt`);
  });
});
