import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { updated } from "../../scripts/update-performance.ts";
import { ROOT } from "../../testkit/product.ts";

const page = readFileSync(join(ROOT, "docs/performance.md"), "utf8");

describe("the page of figures", () => {
  test("shows the last results and their pictures (npx node scripts/update-performance.ts)", () => {
    const made = updated(page);
    expect(made.page).toBe(page);
    for (const [path, picture] of made.pictures) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      expect(readFileSync(join(ROOT, path), "utf8"), path).toBe(picture);
    }
  });

  test("shows every bench there is", () => {
    const benches = readFileSync(join(ROOT, "loadtest/bench/main.ts"), "utf8");
    const folders = [...benches.matchAll(/from "\.\/([a-z-]+)\/([a-z-]+)\.ts"/g)]
      .filter(([, folder]) => folder !== "harness")
      .map(([, , file]) => file ?? "");
    expect(folders.length).toBeGreaterThan(4);
    for (const bench of folders) expect(page).toContain(`<!-- bench: ${bench} -->`);
  });
});
