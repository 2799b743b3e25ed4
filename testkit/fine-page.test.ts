import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { isFine } from "./fine-page.ts";
import { lentPage } from "./lent-page.ts";
import { needs } from "./needs.ts";

describe.runIf(needs("chromium"))("whether a page is fine", () => {
  async function open(style: string): Promise<Page> {
    const { page, giveBack } = await lentPage({ width: 390, height: 900, dark: false });
    onTestFinished(() => giveBack(false));
    await page.setContent(`<!doctype html><html lang="en"><title>A page</title>
      <style>body { color: #000; background: #fff } ${style}</style>
      <main><h1>A page</h1><p>Some words.</p></main>`);
    return page;
  }
  const inDark = (rules: string): string => `@media (prefers-color-scheme: dark) { ${rules} }`;

  test("it is, in light and in dark", async () => {
    const page = await open(inDark("body { color: #fff; background: #000 }"));
    await isFine(page, "a page");
  });

  test.for([
    ["words that cannot be read in dark", inDark("p { color: #eee }"), "a page, dark"],
    ["words that cannot be read in light", "p { color: #eee }", "a page, dark"],
    [
      "words that cannot be read in light alone",
      `p { color: #eee } ${inDark("p { color: #000 }")}`,
      "a page, light",
    ],
    ["what is wider than the screen", "p { width: 500px }", "a page is wider than the screen, dark"],
    [
      "a color on its way to one that cannot be read",
      `p { transition: color 1000s } ${inDark("p { color: #eee }")}`,
      "a page, dark",
    ],
  ] as const)("it is not: %s", async ([, style, complaint]) => {
    const page = await open(style);
    await expect(isFine(page, "a page")).rejects.toThrow(complaint);
  });
});
