import { writeFile } from "node:fs/promises";
import { provenance } from "./bench/harness/result.ts";
import { pageOf } from "./report/page.ts";
import { progressLine, summaryOf } from "./report/summary.ts";
import { holdCalls, type LoadResult, type Progress } from "./run/hold-calls.ts";
import { type LoadOptions, readOptions, USAGE } from "./run/options.ts";
import { brainOf, startOwnTarget } from "./run/own-stack.ts";
import { ramp } from "./run/ramp.ts";
import { openRunningTarget, readDemo } from "./run/running-stack.ts";
import type { LoadTarget } from "./run/target.ts";
import { isLimitedByCallers, missedTargets } from "./run/targets.ts";
import { runSeveral } from "./several/run.ts";
import { faultsOf, summaryOfSeveral } from "./several/summary.ts";

/** `npm run loadtest`: synthetic callers against a running stack or their own. */
const DEFAULT_CALLS = 50;
const DEFAULT_FLEET_CALLS = 20;
const CONTROL_APIS = 2;
const DEFAULT_RAMP_MAX = 2_000;
const RAMP_FIRST = 50;
const RAMP_PRECISION = 0.1;
const WRONG_USE = 2;

const read = readOptions(process.argv.slice(2));
if ("problem" in read) {
  console.error(`${read.problem}\n\n${USAGE}`);
  process.exit(WRONG_USE);
}
const { options } = read;
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const stopped = new AbortController();
process.once("SIGINT", () => stopped.abort());
let target: LoadTarget | undefined;
try {
  if (options.fleet !== undefined) process.exit(await loadSeveral(options.fleet, options));
  target = await openTarget(options);
  process.exitCode = options.ramp ? await findHighest(target, options) : await loadOnce(target, options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await target?.close();
}
// Closing sockets would keep the process alive for a while.
process.exit();

async function loadSeveral(gateways: number, options: LoadOptions): Promise<number> {
  const result = await runSeveral({
    gateways,
    controlApis: CONTROL_APIS,
    calls: options.calls ?? DEFAULT_FLEET_CALLS,
    seconds: options.seconds,
    brain: brainOf(options),
    onProgress: say,
  });
  const faults = faultsOf(result);
  if (options.json) console.log(JSON.stringify({ ...provenance(), ...result, faults }, null, 2));
  else console.log(summaryOfSeveral(result));
  for (const fault of faults) say(fault);
  return faults.length === 0 ? 0 : 1;
}

function openTarget(options: LoadOptions): Promise<LoadTarget> {
  const { url, agent: agentId, "api-key": apiKey } = options;
  if (url !== undefined && agentId !== undefined && apiKey !== undefined) {
    return openRunningTarget({ baseUrl: url, apiKey, agentId });
  }
  if (options.demo) return readDemo(process.env.DATA_DIR ?? "./data").then(openRunningTarget);
  return startOwnTarget(options);
}

async function loadOnce(target: LoadTarget, options: LoadOptions): Promise<number> {
  const result = await hold(target, options, options.calls ?? DEFAULT_CALLS);
  if (options.json) console.log(JSON.stringify(asJson(result), null, 2));
  else console.log(summaryOf(result));
  if (options.html !== undefined) await writeFile(options.html, pageOf(result, provenance()));
  return missedTargets(result).length === 0 ? 0 : 1;
}

async function findHighest(target: LoadTarget, options: LoadOptions): Promise<number> {
  const steps: { calls: number; missed: string[] }[] = [];
  const { highest, isCallersLimit } = await ramp(
    { first: RAMP_FIRST, max: options.calls ?? DEFAULT_RAMP_MAX, precision: RAMP_PRECISION },
    async (calls) => {
      if (stopped.signal.aborted) return { calls, holds: false, isCallersLimit: false };
      const result = await hold(target, options, calls);
      const missed = missedTargets(result);
      steps.push({ calls, missed });
      say(`  ${calls} calls: ${missed.length === 0 ? "hold" : missed.join("; ")}`);
      return { calls, holds: missed.length === 0, isCallersLimit: isLimitedByCallers(result) };
    },
  );
  if (options.json) console.log(JSON.stringify({ ...provenance(), highest, isCallersLimit, steps }, null, 2));
  else console.log(`${highest} calls hold every target on ${target.name}.`);
  if (isCallersLimit) say("The load generator was at its limit first: more needs callers on other machines.");
  return highest > 0 ? 0 : 1;
}

function hold(target: LoadTarget, { seconds }: LoadOptions, calls: number): Promise<LoadResult> {
  return holdCalls(target, { calls, seconds, signal: stopped.signal, onProgress: showProgress });
}

function asJson(result: LoadResult): object {
  return { ...provenance(), ...result, missed: missedTargets(result) };
}

/** Rewrites one line on a terminal; prints a line each where output is kept. */
function showProgress(progress: Progress): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progressLine(progress)}`);
  else say(progressLine(progress));
}

function say(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? "\r\x1b[K" : ""}${line}\n`);
}
