import type { Page } from "playwright-core";
import { expect } from "vitest";
import { accessibilityFaults } from "./app-browser.ts";
import { overflowOf } from "./dashboard.ts";
import { picture } from "./softphone-pages.ts";

const SCHEMES = ["dark", "light"] as const;

/**
 * Puts an open page into dark, then into light, as a system does while somebody reads: it shows the same as before, and a
 * test need not come there twice. It ends in light, where a page begins.
 */
export async function inBothSchemes(
  page: Page,
  look: (scheme: (typeof SCHEMES)[number]) => Promise<void>,
): Promise<void> {
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    // A color that fades into the other is neither.
    await page.evaluate(() => {
      for (const animation of document.getAnimations())
        if (animation instanceof CSSTransition) animation.finish();
    });
    await look(scheme);
  }
}

/**
 * Axe finds nothing, in light and in dark, and nothing is wider than the screen. In dark only colors can differ:
 * `dashboard/ui/tokens.test.ts`.
 */
export async function isFine(page: Page, what: string): Promise<void> {
  await inBothSchemes(page, async (scheme) => {
    const faults = await accessibilityFaults(page, scheme === "dark" ? "colors" : "all");
    expect(faults, `${what}, ${scheme}`).toEqual([]);
    expect(await overflowOf(page), `${what} is wider than the screen, ${scheme}`).toBe(0);
    await picture(page, `${what}-${page.viewportSize()?.width}-${scheme}`);
  });
}
