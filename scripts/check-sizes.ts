/**
 * Holds source files to a length one can read in one sitting: past 300 lines a file is listed
 * as questionable, past 400 the check fails. Generated files may have any length. The linter checks functions.
 *
 * Usage: node scripts/check-sizes.ts [root]
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const QUESTION_LINES = 300;
const LIMIT_LINES = 400;
/** Written by `scripts/update-webhooks.ts`. */
const GENERATED = ["platform/webhooks/events.ts"];
const NOT_OURS = /(^|\/)(node_modules|dist|data|coverage)(\/|$)/;

const root = resolve(process.argv[2] ?? join(import.meta.dirname, ".."));
const files = globSync("**/*.{ts,tsx,cts,mts,cjs,css}", { cwd: root, exclude: (path) => NOT_OURS.test(path) })
  .filter((file) => !GENERATED.includes(file))
  .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n").length - 1 }))
  .sort((a, b) => b.lines - a.lines);

const long = files.filter(({ lines }) => lines > QUESTION_LINES);
for (const { file, lines } of long) {
  console.log(
    `${String(lines).padStart(6)}  ${file}${lines > LIMIT_LINES ? "  too long: split it along a seam" : ""}`,
  );
}

const tooLong = long.filter(({ lines }) => lines > LIMIT_LINES).length;
const median = files[Math.floor(files.length / 2)]?.lines ?? 0;
console.log(
  `${files.length} files, median ${median} lines, ${long.length} over ${QUESTION_LINES}, ${tooLong} over ${LIMIT_LINES}`,
);
if (tooLong > 0) process.exitCode = 1;
