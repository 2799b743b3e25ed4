import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const DASHBOARD = join(import.meta.dirname, "..");
const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const controls = readFileSync(new URL("controls.css", import.meta.url), "utf8");

/** The values of one block of tokens.css, those of the light theme where it says nothing. */
function tokensOf(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf("}", start));
  return Object.fromEntries(
    [...block.matchAll(/(--pf-[a-z-]+|color-scheme):\s*([^;]+);/g)].map((m) => [m[1]!, m[2]!]),
  );
}

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const linear = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

/** What controls.css makes of two tokens: `share` of the one, the rest the other. */
function mixed(one: string, other: string, share: number): string {
  const channel = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  const channels = [1, 3, 5].map((at) =>
    Math.round(channel(one, at) * share + channel(other, at) * (1 - share)),
  );
  return `#${channels.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}

/** What the button's stylesheet does to the token: 94 % of it, the rest black. */
function deepened(hex: string): string {
  const channels = [1, 3, 5].map((at) => Math.round(Number.parseInt(hex.slice(at, at + 2), 16) * 0.94));
  return `#${channels.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}

/** The declarations of each rule that holds in dark alone. */
function darkBlocks(sheet: string): string[] {
  const plain = sheet.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const bySystem = plain.split("(prefers-color-scheme: dark)").slice(1);
  // Up to the brace that ends the media query, which stands at the beginning of its line.
  const inside = bySystem.map((rest) => rest.slice(rest.indexOf("{") + 1, rest.indexOf("\n}")));
  const rules = [...plain.matchAll(/[^{}]*data-pf-theme="dark"[^{}]*\{([^{}]*)\}/g)].map((rule) => rule[1]!);
  return [...rules, ...inside.flatMap((part) => [...part.matchAll(/\{([^{}]*)\}/g)].map((rule) => rule[1]!))];
}

const light = tokensOf(":root");
const dark = { ...light, ...tokensOf(':root[data-pf-theme="dark"]') };

describe.each([
  ["light", light],
  ["dark", dark],
])("the %s theme", (_, tokens) => {
  test.each([
    ["--pf-fg", "--pf-bg"],
    ["--pf-fg", "--pf-muted-bg"],
    ["--pf-muted", "--pf-card"],
    ["--pf-link", "--pf-card"],
    ["--pf-danger", "--pf-card"],
  ])("%s on %s can be read (4.5 to 1)", (text, ground) => {
    expect(contrast(tokens[text]!, tokens[ground]!)).toBeGreaterThanOrEqual(4.5);
  });

  test("green text can be read on cards and on subtle fills", () => {
    const share = Number(/--success-text:.*?(\d+)%/.exec(controls)?.[1]) / 100;
    const text = mixed(tokens["--pf-success"]!, tokens["--pf-fg"]!, share);
    expect(contrast(text, tokens["--pf-card"]!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(text, tokens["--pf-muted-bg"]!)).toBeGreaterThanOrEqual(4.5);
  });

  test("white can be read on both filled buttons", () => {
    expect(contrast("#ffffff", deepened(tokens["--pf-primary"]!))).toBeGreaterThanOrEqual(4.5);
    expect(contrast("#ffffff", tokens["--pf-danger-solid"]!)).toBeGreaterThanOrEqual(4.5);
  });
});

test("dark by choice and dark by the system are the same", () => {
  expect(tokensOf(":root:not([data-pf-theme])")).toEqual(tokensOf(':root[data-pf-theme="dark"]'));
});

test("dark changes colors alone: what holds of a page in light, but for its colors, need not be tested in dark", () => {
  const sheets = globSync("**/*.css", { cwd: DASHBOARD, exclude: ["dist/**", "widget/**"] });
  const blocks = sheets.flatMap((sheet) => darkBlocks(readFileSync(join(DASHBOARD, sheet), "utf8")));
  const declared = blocks.flatMap((block) =>
    block
      .split(";")
      .map((line) => line.trim())
      .filter(Boolean),
  );
  expect(declared.length).toBeGreaterThan(40);
  const COLOR = /(^|\s)(#[\da-f]{3,8}|rgba?\([^)]+\)|color-mix\(.+\))$/;
  const others = declared.filter((line) => {
    const [property = "", value = ""] = line.split(/:\s*/);
    if (property === "color-scheme") return false;
    return !(/^(--[\w-]+|color|background|border-color|fill|stroke)$/.test(property) && COLOR.test(value));
  });
  expect(others).toEqual([]);
});

test("apps get the same values as the dashboard, in both themes", () => {
  const apps = readFileSync(new URL("../../platform/sdk/design/platform.css", import.meta.url), "utf8");
  for (const selector of [":root", ':root[data-pf-theme="dark"]']) {
    const start = apps.indexOf(`${selector} {`);
    const block = apps.slice(start, apps.indexOf("}", start) + 1);
    const own = css.slice(css.indexOf(`${selector} {`), css.indexOf("}", css.indexOf(`${selector} {`)) + 1);
    expect(start).toBeGreaterThanOrEqual(0);
    expect(block).toBe(own);
  }
  for (const name of [
    "card",
    "btn-primary",
    "btn-danger",
    "input",
    "textarea",
    "select",
    "badge",
    "muted",
    "table",
  ]) {
    expect(apps).toMatch(new RegExp(`\\.pf-${name}\\b`));
  }
});
