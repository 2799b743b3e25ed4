import { parseArgs } from "node:util";
import {
  ECHO_KINDS,
  type EchoKind,
  type Interruption,
  interrupt,
  listenToItself,
} from "../testkit/echo-trials.ts";

/**
 * Holds simulated calls with agents that hear themselves, faster than real time, and tells which ones stopped:
 * `npx node scripts/echo-trials.ts --kind jumps,level --trials 50`. The same numbers always give the same calls.
 * `--interrupts` has a caller talk over each, with a `request` of their own, one that begins with the agent's `next` word,
 * or two words of the agent's asked `back`.
 */
const LATE_MS = 1_500;
const { values } = parseArgs({
  options: {
    kind: { type: "string", default: Object.keys(ECHO_KINDS).join(",") },
    from: { type: "string", default: "1" },
    trials: { type: "string", default: "20" },
    interrupts: { type: "boolean", default: false },
    how: { type: "string", default: "request" },
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

/** For how many callers the agent fell silent, how soon, and how many were understood to the last word. */
async function interruptions(kind: EchoKind): Promise<string> {
  const times: number[] = [];
  let understood = 0;
  for (const seed of seeds) {
    const { silentMs, said, query = "", setup } = await interrupt(kind, seed, values.how as Interruption);
    if (silentMs !== undefined) times.push(silentMs);
    if (lettersOf(query).endsWith(lettersOf(said))) understood += 1;
    const isLate = silentMs === undefined || silentMs > LATE_MS;
    if (values.trace && isLate) console.log(seed, JSON.stringify(setup), silentMs, said, query);
  }
  times.sort((a, b) => a - b);
  const quantile = (q: number): string =>
    `${times[Math.min(times.length - 1, Math.floor(times.length * q))]} ms`;
  const silent = `${quantile(0.5)} (median), ${quantile(0.9)} (p90), ${quantile(1)} at most`;
  return `${times.length} of ${trials} interrupted, silent after ${silent}; ${understood} understood whole`;
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z]+/g, " ")
    .trim();
}
