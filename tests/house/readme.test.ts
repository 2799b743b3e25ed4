import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { updated } from "../../scripts/update-readme.ts";
import { ROOT } from "../support/product.ts";

const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const pages = ["README.md", "CONTRIBUTING.md", "docs/decisions.md", "docs/field-complaints.md"];

describe("the README", () => {
  test("has the examples and the configuration as they are (node scripts/update-readme.ts)", () => {
    expect(updated(readme)).toBe(readme);
  });

  test("names npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1] ?? "");
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });
});

describe.each(pages)("%s", (page) => {
  test("names paths that exist", () => {
    const text = readFileSync(join(ROOT, page), "utf8");
    const folders = "shared|media|gateway|control-api|dashboard|examples|scripts|tests|ops|docs";
    const paths = [...text.matchAll(new RegExp(`(?<![\\w/.-])((?:${folders})/[\\w./-]*[\\w/])`, "g"))].map(
      (match) => match[1] ?? "",
    );
    const missing = [...new Set(paths)].filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });
});
