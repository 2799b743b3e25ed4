/**
 * Reads vitest's JSON report and prints `N passed, N failed, N skipped` on a line of its own.
 * Fails when a test failed or was skipped, or when none ran. A test file that could not be loaded
 * counts as one failed test. Before that, the files that took longest: what to look at when CI grows slow.
 *
 * Usage: node .ci/count-tests.mjs <report.json>
 */
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const [file] = process.argv.slice(2);
const files = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).testResults : [];
const results = files.flatMap(({ status, assertionResults }) =>
  assertionResults.length === 0 && status === "failed"
    ? ["failed"]
    : assertionResults.map((test) => test.status),
);

const SLOWEST = 12;
const slowest = files
  .map(({ name, startTime, endTime }) => ({ name, seconds: Math.round((endTime - startTime) / 1_000) }))
  .sort((a, b) => b.seconds - a.seconds)
  .slice(0, SLOWEST);
for (const { name, seconds } of slowest)
  console.log(`${String(seconds).padStart(4)}s  ${relative(process.cwd(), name)}`);

const passed = results.filter((status) => status === "passed").length;
const failed = results.filter((status) => status === "failed").length;
const skipped = results.length - passed - failed;

for (const { name, assertionResults } of files) {
  for (const { status, fullName } of assertionResults) {
    if (status !== "passed" && status !== "failed")
      console.log(`skipped, which CI does not allow: ${name}: ${fullName}`);
  }
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (passed === 0 || failed > 0 || skipped > 0) process.exitCode = 1;
