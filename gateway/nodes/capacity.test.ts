import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callsThatFit, maxOpenFiles } from "./capacity.ts";

const warned: unknown[] = [];
const log = {
  warn: (fields: unknown): void => {
    warned.push(fields);
  },
};

it("takes as many calls as are wanted where there are descriptors for them", () => {
  expect(callsThatFit(450, 20_000, log)).toBe(450);
  expect(callsThatFit(450, Number.POSITIVE_INFINITY, log)).toBe(450);
  expect(warned).toEqual([]);
});

it("takes fewer calls, and says so, where there are too few", () => {
  expect(callsThatFit(450, 256, log)).toBe(26);
  expect(warned).toEqual([
    {
      event: "open_files_limit_low",
      maxOpenFiles: 256,
      wantedOpenFiles: 2_800,
      maxCalls: 450,
      admitted: 26,
    },
  ]);
});

it("does not begin where there are too few for one", () => {
  expect(() => callsThatFit(450, 64, log)).toThrow("ulimit -n");
});

it("knows the limit of its process", () => {
  const script = `import { maxOpenFiles } from ${JSON.stringify(join(import.meta.dirname, "capacity.ts"))};
    console.log(maxOpenFiles())`;
  const node = `ulimit -n 300; exec "${process.execPath}" --input-type=module --eval '${script}'`;
  expect(execFileSync("bash", ["-c", node], { encoding: "utf8" }).trim()).toBe("300");
  expect(maxOpenFiles()).toBeGreaterThan(0);
});
