import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsOf } from "./anchors.ts";
import { ROOT } from "./compose-file.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const FOLDERS = /(^|\/)(node_modules|dist|data|coverage)(\/|$)/;
const sources = globSync("**/*.{ts,tsx,css,cjs,mjs,sh,yml,py}", {
  cwd: ROOT,
  exclude: (path) => FOLDERS.test(path),
}).sort();
/** A page of ours, and its anchor; not a part of somebody's address. */
const CITES = /(?<![\w./-])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g;
/** A text that is not in the repository. */
const ABSENT = /\bspec(?:ification)?s? ?(?:§ ?)?\d|§ ?\d|\((?:see )?rule \d/i;

describe("what sources cite", () => {
  test("is in the repository, the anchor included", () => {
    expect(sources.length).toBeGreaterThan(500);
    const wrong = sources.flatMap((file) =>
      [...read(file).matchAll(CITES)]
        .filter(([, page = "", anchor]) => {
          if (!existsSync(join(ROOT, page))) return true;
          return anchor !== undefined && !anchorsOf(read(page)).has(anchor);
        })
        .map(([cite]) => `${file}: ${cite}`),
    );
    expect(wrong).toEqual([]);
  });

  test("is no specification that nobody has", () => {
    const lines = sources
      .filter((file) => !file.startsWith("tests/house/"))
      .flatMap((file) =>
        read(file)
          .split("\n")
          .map((line) => `${file}: ${line.trim()}`),
      )
      .filter((line) => ABSENT.test(line));
    expect(lines).toEqual([]);
  });
});
