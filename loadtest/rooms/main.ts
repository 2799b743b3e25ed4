import { loadavg } from "node:os";
import { Histogram } from "../report/histogram.ts";
import { CASES } from "./cases.ts";
import { readOptions, USAGE } from "./options.ts";
import { writeRoomsPage } from "./report/page.ts";
import { type RoomRow, readResults, rowOf, writeResults } from "./report/results.ts";
import { terminalTable } from "./report/table.ts";
import { traceOf } from "./report/trace.ts";
import { runCases } from "./run-cases.ts";
import { findVoices } from "./sounds/voices.ts";

/** `npm run rooms`: whole calls from noisy rooms, over bad lines and with broken vendors, as one table. */
const WRONG_USE = 2;
const PATIENCE_MS = 15_000;
const options = readOptions(process.argv.slice(2));
if ("problem" in options) {
  console.error(`${options.problem}\n\n${USAGE}`);
  process.exit(WRONG_USE);
}
if (options.help || options.list) {
  console.log(
    options.help ? USAGE : options.cases.map(({ id, title }) => `${id.padEnd(24)}${title}`).join("\n"),
  );
  process.exit(0);
}
const { voices, missing } = await findVoices();
for (const line of missing) console.error(`no voice ${line}`);
if (voices.length === 0) {
  console.error("no outside voice is installed: nobody can call");
  process.exit(1);
}
const startedMs = performance.now();
const lag = new Histogram();
const rows: RoomRow[] = [];
try {
  await runCases(options.cases, {
    voices,
    sideBySide: options.calls,
    patienceMs: PATIENCE_MS,
    onLag: (lagMs) => lag.record(Math.max(0, lagMs)),
    onCase: (row, figures, records) => {
      if (options.trace) console.error(records.map(traceOf).join("\n"));
      rows.push(rowOf(row, figures));
      console.error(
        `${rows.length}/${options.cases.length} ${row.title}: ${figures.answered} of ${figures.asked} answered`,
      );
    },
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const order = CASES.map(({ id }) => id);
rows.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
console.log(terminalTable(rows, readResults()));
const seconds = Math.round((performance.now() - startedMs) / 1_000);
const callersLateP99Ms = Math.round(lag.quantile(0.99));
const loadAverage = Number((loadavg()[1] ?? 0).toFixed(1));
console.log(`\n${seconds} s, callers' clock ${callersLateP99Ms} ms late (p99), load ${loadAverage}`);
if (options.cases.length === CASES.length || options.keep) {
  const names = voices.map(({ name }) => name);
  const { calls: sideBySide } = options;
  const run = {
    seconds,
    sideBySide,
    callersLateP99Ms,
    loadAverage,
    voices: names,
    missingVoices: missing,
    rows,
  };
  writeRoomsPage(await writeResults(run, order));
}
process.exit(rows.some(({ missed }) => missed.length > 0) ? 1 : 0);
