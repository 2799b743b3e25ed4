/** Upper bound of the first bucket. Each next one is a tenth longer: percentiles are off by a twentieth at most. */
const FIRST_MS = 50;
const GROWTH = 1.1;

/** The bucket of a response time; upper bounds are inclusive. */
export function bucketOf(responseMs: number): number {
  return Math.max(0, Math.ceil(Math.log(Math.max(responseMs, 1) / FIRST_MS) / Math.log(GROWTH)));
}

/**
 * The time within which `share` (0 to 1) of all turns stayed, in whole milliseconds, from the number of turns per
 * bucket; null without turns.
 */
export function percentileMs(turnsByBucket: ReadonlyMap<number, number>, share: number): number | null {
  const buckets = [...turnsByBucket].filter(([, turns]) => turns > 0).toSorted(([a], [b]) => a - b);
  const all = buckets.reduce((sum, [, turns]) => sum + turns, 0);
  if (all === 0) return null;
  const wanted = share * all;
  let below = 0;
  for (const [bucket, turns] of buckets) {
    if (below + turns >= wanted) {
      const fromMs = bucket === 0 ? 0 : upperMs(bucket - 1);
      return Math.round(fromMs + ((wanted - below) / turns) * (upperMs(bucket) - fromMs));
    }
    below += turns;
  }
  return Math.round(upperMs(buckets.at(-1)?.[0] ?? 0));
}

function upperMs(bucket: number): number {
  return FIRST_MS * GROWTH ** bucket;
}
