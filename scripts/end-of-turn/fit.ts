import type { Weights } from "@parley/media/end-of-turn/classifier/model.ts";
import type { Example } from "./rows.ts";

/** Rows a feature must occur in to get a weight. */
const MIN_ROWS = 8;
const ROUNDS = 60;
const SORTING_ROUNDS = 20;
/** Pull of each weight toward zero, in rows. */
const RIDGE = 1.5;
/** How many weights are kept: those with the most effect. */
const KEPT = 2000;

interface Problem {
  readonly names: readonly string[];
  /** Each row's features as indexes into `names`; a row ends at `ends`. */
  readonly places: Int32Array;
  readonly ends: Int32Array;
  readonly targets: Float64Array;
  readonly counts: Float64Array;
}

/**
 * Fits a logistic regression deterministically: fit, prune to the weights that matter, fit again. Finished
 * and unfinished rows have equal total weight.
 */
export function fitWeights(examples: readonly Example[]): Weights {
  const counts = countsOf(examples);
  const frequent = [...counts].filter(([, count]) => count >= MIN_ROWS).map(([name]) => name);
  const first = problemOf(examples, frequent.sort());
  const weights = descend(first, SORTING_ROUNDS);
  const moves = first.names.map(
    (name, at) => [name, Math.abs(weights[at] as number) * Math.sqrt(counts.get(name) ?? 0)] as const,
  );
  const kept = moves.sort((a, b) => b[1] - a[1]).slice(0, KEPT);
  const second = problemOf(examples, kept.map(([name]) => name).sort());
  const fitted = descend(second, ROUNDS);
  return Object.fromEntries(
    second.names.map((name, at) => [name, Math.round((fitted[at] as number) * 100) / 100 + 0]),
  );
}

function countsOf(examples: readonly Example[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { features } of examples) {
    for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function problemOf(examples: readonly Example[], names: readonly string[]): Problem {
  const index = new Map(names.map((name, at) => [name, at]));
  const scale = balanceOf(examples);
  const places: number[] = [];
  const ends: number[] = [];
  for (const { features } of examples) {
    for (const name of features) {
      const at = index.get(name);
      if (at !== undefined) places.push(at);
    }
    ends.push(places.length);
  }
  const counts = examples.map(({ target, weight }) => weight * (target * scale + (1 - target)));
  return {
    names,
    places: Int32Array.from(places),
    ends: Int32Array.from(ends),
    targets: Float64Array.from(examples, ({ target }) => target),
    counts: Float64Array.from(counts),
  };
}

/** Gradient descent with one step size per weight (Rprop), which needs no rate and no randomness. */
function descend(problem: Problem, rounds: number): Float64Array {
  const { length } = problem.names;
  const weights = new Float64Array(length);
  const steps = new Float64Array(length).fill(0.1);
  const before = new Float64Array(length);
  for (let round = 0; round < rounds; round++) {
    step({ weights, steps, before, slope: slopeAt(weights, problem) });
  }
  return weights;
}

function slopeAt(weights: Float64Array, { places, ends, targets, counts }: Problem): Float64Array {
  const slope = weights.map((weight) => RIDGE * weight);
  let from = 0;
  for (let row = 0; row < ends.length; row++) {
    const end = ends[row] as number;
    let sum = 0;
    for (let at = from; at < end; at++) sum += weights[places[at] as number] as number;
    const error = (1 / (1 + Math.exp(-sum)) - (targets[row] as number)) * (counts[row] as number);
    for (let at = from; at < end; at++) {
      const place = places[at] as number;
      slope[place] = (slope[place] as number) + error;
    }
    from = end;
  }
  return slope;
}

function step(fitting: Record<"weights" | "steps" | "before" | "slope", Float64Array>): void {
  const { weights, steps, before, slope } = fitting;
  for (let at = 0; at < weights.length; at++) {
    const turn = (slope[at] as number) * (before[at] as number);
    if (turn > 0) steps[at] = Math.min((steps[at] as number) * 1.2, 1);
    if (turn < 0) steps[at] = Math.max((steps[at] as number) * 0.5, 1e-4);
    if (turn >= 0)
      weights[at] = (weights[at] as number) - Math.sign(slope[at] as number) * (steps[at] as number);
    before[at] = turn < 0 ? 0 : (slope[at] as number);
  }
}

function balanceOf(examples: readonly Example[]): number {
  let finished = 0;
  let unfinished = 0;
  for (const { target, weight } of examples) {
    finished += target * weight;
    unfinished += (1 - target) * weight;
  }
  return unfinished / finished;
}
