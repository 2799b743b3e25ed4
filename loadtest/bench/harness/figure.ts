/** A value over the rounds of one run. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: readonly number[];
}

/** A figure's comparison, measured in the same run. */
export interface Rival {
  /** "bare uWebSockets echo", "an afternoon's gateway", … */
  readonly name: string;
  readonly value: Spread;
}

/** One row of a bench's table. */
export interface Figure {
  /** Stable between runs: `call-cpu.per-call`. */
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly better: "lower" | "higher";
  readonly ours: Spread;
  /** The best anyone could achieve here. */
  readonly limit?: Rival;
  /** What people would otherwise use or write. */
  readonly peer?: Rival;
  /** The promise in words, and whether this run kept it. */
  readonly target?: { readonly text: string; readonly holds: boolean };
}

/** A bench, run by `npm run bench -- <name>`; its figures go to `loadtest/results/<name>.json`. */
export interface Bench {
  readonly name: string;
  readonly title: string;
  /** Also measures Postgres, and is skipped where there is none. */
  readonly needsPostgres?: true;
  /** `say` prints a progress line. */
  run(say: (line: string) => void): Promise<readonly Figure[]>;
}

export function spreadOf(rounds: readonly number[]): Spread {
  const sorted = [...rounds].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? 0;
  const median = Number.isInteger(middle) ? ((sorted[middle - 1] ?? 0) + upper) / 2 : upper;
  return { median, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0, rounds };
}
