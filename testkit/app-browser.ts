import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

const RULES = {
  /** WCAG 2.2 A and AA, and what else axe holds to be good. */
  all: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  /** Those that look at colors. The others read the document, where things are and how large, which no color changes. */
  colors: ["color-contrast", "link-in-text-block"],
} as const;

/**
 * Accessibility faults that axe finds on a page: `rule: selectors`. Runs alongside the page's own policy. Leaves out the
 * guards at a menu's ends: they are hidden, and hand the focus on at once.
 */
export async function accessibilityFaults(page: Page, rules: keyof typeof RULES = "all"): Promise<string[]> {
  // A script that ran before is already compiled, and therefore faster.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  const violations = await page.evaluate<Violation[]>(`
    axe
      .run({ exclude: "[data-base-ui-focus-guard]" }, {
        runOnly: ${JSON.stringify({ type: rules === "all" ? "tag" : "rule", values: RULES[rules] })},
        resultTypes: ["violations"],
      })
      .then(({ violations }) => violations)
  `);
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}

/** Presses Tab until the focus is on the element of this name, once it exists; fails when it is not reached. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const MAX_STOPS = 60;
  const exactly = { exact: typeof name === "string" };
  await page
    .getByLabel(name, exactly)
    .or(page.getByText(name, exactly))
    .first()
    .waitFor({ state: "attached" });
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element) return "";
      const label = element.id === "" ? null : document.querySelector(`label[for="${element.id}"]`);
      return (element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent ?? "").trim();
    });
    if (typeof name === "string" ? focused === name : name.test(focused)) return;
  }
  throw new Error(`the keyboard does not reach ${String(name)}`);
}
