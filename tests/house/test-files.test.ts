import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LONGEST, MEASURED, OWN_PROCESS, ROOMS, SPOKEN } from "../../vitest.config.ts";
import { ROOT } from "./compose-file.ts";

/** Changes something that a process has only once, so that the next test file of the same process would see it. */
const CHANGES = [
  /\bvi\.(stubEnv|stubGlobal|useFakeTimers|setSystemTime|mock|doMock)\(/,
  /\bprocess\.(stdout|stderr)\.write = /,
  /\bprocess\.env(\.\w+|\[[^\]]+\]) = /,
  /\bprocess\.(on|once|chdir|umask)\(/,
  /\bglobalThis\.\w+ = /,
];

const REAL_TIME = [...SPOKEN, ...MEASURED];

const filesOf = (patterns: string[]) => globSync(patterns, { cwd: ROOT, exclude: ["**/node_modules/**"] });

test("a test file that changes what its process has once has a process of its own", () => {
  const apart = new Set(filesOf([...OWN_PROCESS, ...REAL_TIME]));
  const together = filesOf([ROOMS]).filter((file) => !apart.has(file));
  expect(together.length).toBeGreaterThan(100);
  const changing = together.filter((file) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    return CHANGES.some((change) => change.test(source));
  });
  expect(changing, "list them in OWN_PROCESS of vitest.config.ts").toEqual([]);
});

test("what is listed for a process of its own, for real time, or to be first, is there", () => {
  for (const pattern of [...OWN_PROCESS, ...REAL_TIME, ...LONGEST])
    expect(filesOf([pattern]), pattern).not.toEqual([]);
});

test("a test that needs real time says why in its first line", () => {
  const silent = filesOf(REAL_TIME).filter(
    (file) => !/^\/\/ Real time: .+\.\n/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(silent).toEqual([]);
});

test("a wait of a test is bounded by a minute or more: it says that nothing came, not that the machine is slow", () => {
  const hasty = filesOf([ROOMS, "**/*.contract.ts"]).flatMap((file) => {
    const found = readFileSync(join(ROOT, file), "utf8").match(/\btimeout: [1-5]?\d_\d{3}\b.*/g) ?? [];
    return found.map((line) => `${file}: ${line}`);
  });
  expect(hasty).toEqual([]);
});

test("each district with several files that start a control API starts one of them on the embedded database", () => {
  const files = filesOf(["control-api/*/**/*.test.ts"]).map((path) => ({
    district: path.split("/")[1] ?? "",
    source: readFileSync(join(ROOT, path), "utf8"),
  }));
  const starting = files.filter(({ source }) => source.includes("TestControlApi.start("));
  const districts = Object.entries(Object.groupBy(starting, ({ district }) => district));
  const several = districts.filter(([, of]) => (of ?? []).length > 1);
  expect(several.length).toBeGreaterThan(8);
  const without = several.filter(([, of]) => !of?.some(({ source }) => source.includes("isEmbedded: true")));
  expect(without.map(([district]) => district)).toEqual([]);
});
