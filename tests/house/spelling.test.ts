import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./compose-file.ts";

/** Spellings that are not American. A name that others read (a metric, a result's key, a carrier's word) stays as it is. */
const BRITISH =
  /recognis|\bdialled|dialling|behaviour|colour|neighbour|honour|judgement|enrolment|organisation|normalis(e|ed|ing)\b|finalis(e|ed|es)\b|initialis|serialis(e|ed|er)\b|\blearnt\b/i;
const NAMES =
  /utterances_?unrecognised_?total|recogniser[- ]dead|https?:\/\/\S+|process\.env\.\w+|"?serialised"?:/gi;
/** Words that callers say, and the history of releases. */
const LEFT_OUT =
  /^(CHANGELOG\.md|media\/turn\/|loadtest\/results\/|package-lock\.json|tests\/house\/spelling\.test\.ts)/;

test("sources and documentation are in American English", () => {
  const files = globSync("**/*.{ts,tsx,css,md,yml,sh,py,cjs}", {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(node_modules|dist|data|coverage)(\/|$)/.test(path),
  }).filter((file) => !LEFT_OUT.test(file));
  expect(files.length).toBeGreaterThan(500);
  const british = files.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .filter((line) => BRITISH.test(line.replace(NAMES, "")))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(british).toEqual([]);
});
