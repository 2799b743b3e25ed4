/**
 * Reads vitest's JSON report and prints `N passed, N failed, N skipped` on a line of its own.
 * Fails when a test failed or was skipped, or when none ran. A test file that could not be loaded
 * counts as one failed test.
 *
 * Usage: node .ci/count-tests.mjs <report.json>
 */
import { existsSync, readFileSync } from "node:fs";

const [file] = process.argv.slice(2);
const files = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).testResults : [];
const results = files.flatMap(({ status, assertionResults }) =>
  assertionResults.length === 0 && status === "failed"
    ? ["failed"]
    : assertionResults.map((test) => test.status),
);

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
