import type { Figure } from "../harness/figure.ts";
import { interleaved } from "../harness/rounds.ts";

/** One way to do a piece of work. */
export interface Way {
  readonly name: string;
  /**
   * Does the next unit; `i` counts up, for varying input. The returned number must depend on the result: it
   * is summed up and kept, so that the compiler cannot eliminate the work.
   */
  readonly run: (i: number) => number | Promise<number>;
  /** Units per run; 1 when absent. */
  readonly units?: number;
}

/** A piece of work whose cost is worth knowing by itself. */
export interface Unit {
  readonly id: string;
  readonly title: string;
  readonly ours: Way["run"];
  readonly units?: number;
  readonly limit?: Way;
  readonly peer?: Way;
}

const ROUNDS = 7;
/** CPU time of one round: many ticks of CPU accounting, and some garbage collections. */
const ROUND_MS = 40;
const WARM_UP_MS = 60;

let kept = 0;

/** CPU in ns per unit over all threads of this process, so the cost includes garbage collection. */
export async function measureUnit(unit: Unit): Promise<Figure> {
  const { id, title, ours, units = 1, limit, peer } = unit;
  const contestants: Record<string, () => Promise<number>> = {
    ours: await contestant({ name: "", run: ours, units }),
  };
  if (limit) contestants.limit = await contestant(limit);
  if (peer) contestants.peer = await contestant(peer);
  const spreads = await interleaved(ROUNDS, contestants);
  const rival = (way: Way | undefined, key: "limit" | "peer") => {
    const value = spreads[key];
    return way && value ? { [key]: { name: way.name, value } } : {};
  };
  const none = { median: 0, min: 0, max: 0, rounds: [] };
  return {
    id: `units.${id}`,
    title,
    unit: "ns",
    better: "lower",
    ours: spreads.ours ?? none,
    ...rival(limit, "limit"),
    ...rival(peer, "peer"),
  };
}

/** Warms up a way and returns its measurement, with the same number of runs in every round. */
async function contestant({ run, units = 1 }: Way): Promise<() => Promise<number>> {
  let runs = 1;
  let next = 0;
  const work = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let i = 0; i < runs; i++) {
      const made = run(next++);
      kept += typeof made === "number" ? made : await made;
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  let spentUs = 0;
  let lastUs = 0;
  while (spentUs < WARM_UP_MS * 1_000) {
    lastUs = Math.max(1, await work());
    spentUs += lastUs;
    if (lastUs < ROUND_MS * 500) runs *= 2;
  }
  runs = Math.max(1, Math.round((runs * ROUND_MS * 1_000) / lastUs));
  return async () => ((await work()) * 1_000) / (runs * units);
}

/** The sum of all results; printing it keeps the compiler from eliminating work. */
export function checksum(): number {
  return kept;
}
