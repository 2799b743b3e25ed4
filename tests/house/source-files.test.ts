import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const SILENCERS = ["@ts-" + "ignore", "@ts-" + "nocheck", "biome-" + "ignore", "eslint-" + "disable"];

describe("source files", () => {
  test("silence no checker", () => {
    const sources = globSync("**/*.{ts,tsx,cjs,mjs}", {
      cwd: ROOT,
      exclude: (path) => /(^|\/)(node_modules|dist|data)(\/|$)/.test(path),
    });
    expect(sources.length).toBeGreaterThan(50);
    const silenced = sources.filter((file) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      return SILENCERS.some((silencer) => text.includes(silencer));
    });
    expect(silenced).toEqual([]);
  });

  test("ask the URL parser, for Node's canParse says no to letters beyond ASCII once it is compiled", () => {
    const outsideOfBrowsers = "{shared,control-api,gateway,media,scripts,platform/cli}/**/*.ts";
    const sources = globSync(outsideOfBrowsers, {
      cwd: ROOT,
      exclude: (path) => /(^|\/)node_modules(\/|$)/.test(path),
    });
    expect(sources.length).toBeGreaterThan(500);
    const asking = sources.filter((file) => /URL\.canParse\(/.test(readFileSync(join(ROOT, file), "utf8")));
    expect(asking).toEqual([]);
  });

  test("move the focus before a page is painted: later it is taken from whoever types already", () => {
    const sources = globSync("dashboard/**/*.{ts,tsx}", { cwd: ROOT });
    expect(sources.length).toBeGreaterThan(300);
    const late = /useEffect\(\(\) =>(?:(?!\n {2}\}).)*?(?:\.focus\(|showModal\()/s;
    expect(sources.filter((file) => late.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
  });

  test("fail the size check past 400 lines and are only listed past 300", async () => {
    const root = await mkdtemp(join(tmpdir(), "parley-sizes-"));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    await writeFile(join(root, "long.ts"), "\n".repeat(301));
    const listed = checkSizes(root);
    expect(listed.stdout).toContain("301  long.ts");
    expect(listed.status).toBe(0);

    await writeFile(join(root, "too-long.ts"), "\n".repeat(401));
    const refused = checkSizes(root);
    expect(refused.stdout).toContain("401  too-long.ts  too long");
    expect(refused.status).toBe(1);
  });
});

function checkSizes(root: string) {
  return spawnSync(process.execPath, [join(ROOT, "scripts/check-sizes.ts"), root], { encoding: "utf8" });
}
