import type { LoadResult, Progress } from "../run/hold-calls.ts";
import { isLimitedByCallers, missedTargets } from "../run/targets.ts";
import type { Histogram } from "./histogram.ts";

/** Progress of a running load test, in one line. */
export function progressLine({ phase, live, elapsedSecs }: Progress): string {
  return `${elapsedSecs.toFixed(0).padStart(4)} s  ${phase}, ${live} calls up`;
}

/** A load test's findings, for the terminal. */
export function summaryOf(result: LoadResult): string {
  return summaryRows(result)
    .map(([name, value]) => `  ${name.padEnd(18)}${value}`)
    .join("\n");
}

/** Name and value of every figure. */
export function summaryRows(result: LoadResult): [string, string][] {
  const { tally, calls, held, seconds, callerLag, events } = result;
  const { counts, times } = tally;
  const late = (count: number): string =>
    `${count} (${counts.framesHeard === 0 ? "0" : ((100 * count) / counts.framesHeard).toFixed(3)} %)`;
  const missed = missedTargets(result);
  const rows: [string, string][] = [
    ["calls held", `${held} of ${calls}, for ${seconds.toFixed(0)} s, on ${result.target}`],
    ["set-up", percentiles(times.setup)],
    ["response", `${percentiles(times.response)}, ${counts.turns} turns`],
    ["barge-in", `${percentiles(times.bargeIn)}, voice begun to clear, ${counts.interruptions} times`],
    ["agent frames", `${counts.framesHeard} heard, ${counts.framesSent} caller frames sent`],
    ["  over 5 ms late", late(counts.lateOver5)],
    ["  over 20 ms late", late(counts.lateOver20)],
    ["  over 60 ms late", late(counts.lateOver60)],
    ["  heard late", late(counts.lateHeard)],
    ["CPU", `${result.cpuUsPerCallSec.toFixed(0)} µs a call-second, ${result.cores.toFixed(2)} cores`],
    ["memory", `${(result.memoryPerCallBytes / 1024).toFixed(0)} KiB a call`],
    ["event loop", `p99 ${result.loopLagMs.toFixed(1)} ms late`],
    ["callers' clock", `p99.9 ${callerLag.quantile(0.999).toFixed(1)} ms late${lagWarning(result)}`],
  ];
  if (events)
    rows.push(["call records", `${events.started} started, ${events.ended} ended, ${events.wrong} wrong`]);
  const complaints = Object.entries(tally.complaints).map(([what, count]) => `${what} × ${count}`);
  if (complaints.length > 0) rows.push(["callers heard", complaints.join(", ")]);
  rows.push(["dropped or lost", missed.length === 0 ? "nothing; the targets hold" : missed.join("; ")]);
  return rows;
}

function lagWarning(result: LoadResult): string {
  if (!isLimitedByCallers(result)) return "";
  return " — the load generator is at its limit: lateness says more about it than about the gateway";
}

function percentiles(times: Histogram): string {
  if (times.count === 0) return "none";
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((q) => times.quantile(q).toFixed(1));
  return `p50 ${p50}, p95 ${p95}, p99 ${p99} ms`;
}
