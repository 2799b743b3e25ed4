import { parseArgs } from "node:util";
import { ECHO_KINDS, type EchoKind, interrupt, listenToItself } from "../testkit/echo-trials.ts";

/**
 * Holds simulated calls with agents that hear themselves, faster than real time, and tells which ones stopped:
 * `npx node scripts/echo-trials.ts --kind jumps,level --trials 50`. The same numbers always give the same calls.
 */
const LATE_MS = 1_500;
const NEVER_MS = 99_999;
const { values } = parseArgs({
  options: {
    kind: { type: "string", default: Object.keys(ECHO_KINDS).join(",") },
    from: { type: "string", default: "1" },
    trials: { type: "string", default: "20" },
    interrupts: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
  },
});
const [from, trials] = [Number(values.from), Number(values.trials)];
const seeds = Array.from({ length: trials }, (_, i) => from + i);
for (const kind of values.kind.split(",") as EchoKind[]) {
  console.log(kind.padEnd(12), values.interrupts ? await interruptions(kind) : await stops(kind));
}
process.exit(0);

/** In how many calls the agent stopped, or said less than all. */
async function stops(kind: EchoKind): Promise<string> {
  const failed: number[] = [];
  for (const seed of seeds) {
    const { stops: times, ghosts, hasSaidAll, setup } = await listenToItself(kind, seed);
    if (times.length === 0 && ghosts.length === 0 && hasSaidAll) continue;
    failed.push(seed);
    if (values.trace) console.log(seed, JSON.stringify(setup), "stopped at", times, "asked", ghosts);
  }
  return `${failed.length} of ${trials} stopped ${failed.length > 0 ? `(${failed.join(", ")})` : ""}`;
}

/** How soon the agent fell silent for a caller. */
async function interruptions(kind: EchoKind): Promise<string> {
  const times: number[] = [];
  for (const seed of seeds) {
    const { silentMs = NEVER_MS, query, setup } = await interrupt(kind, seed);
    times.push(silentMs);
    if (values.trace && silentMs > LATE_MS) console.log(seed, JSON.stringify(setup), silentMs, query);
  }
  times.sort((a, b) => a - b);
  const quantile = (q: number): number => times[Math.min(trials - 1, Math.floor(trials * q))] ?? NEVER_MS;
  return `silent after ${quantile(0.5)} ms (median), ${quantile(0.9)} ms (p90), ${quantile(1)} ms at most`;
}
