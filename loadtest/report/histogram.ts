/** Eight buckets per octave: values are accurate to 9 %. */
const BUCKETS_PER_OCTAVE = 8;
/** Smallest value distinguishable from zero, in ms. */
const MIN_MS = 0.01;

/** A histogram as sent between processes: counts by bucket number. */
export interface HistogramData {
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
  readonly max: number;
}

/** Times in ms, counted by bucket: small, mergeable, exact in count, sum and maximum. */
export class Histogram {
  #counts: number[] = [];
  #count = 0;
  #sum = 0;
  #max = 0;

  static of(data: HistogramData): Histogram {
    const histogram = new Histogram();
    histogram.merge(data);
    return histogram;
  }

  get count(): number {
    return this.#count;
  }

  get max(): number {
    return this.#max;
  }

  get mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  record(valueMs: number): void {
    const value = Math.max(0, valueMs);
    const bucket = bucketOf(value);
    while (this.#counts.length <= bucket) this.#counts.push(0);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count += 1;
    this.#sum += value;
    if (value > this.#max) this.#max = value;
  }

  merge(other: HistogramData): void {
    while (this.#counts.length < other.counts.length) this.#counts.push(0);
    for (const [bucket, count] of other.counts.entries()) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
    }
    this.#count += other.count;
    this.#sum += other.sum;
    this.#max = Math.max(this.#max, other.max);
  }

  /** Upper edge of the bucket that holds the quantile, `q` from 0 to 1; 0 when empty. */
  quantile(q: number): number {
    const rank = Math.ceil(q * this.#count);
    let seen = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= rank && count > 0) return Math.min(upperEdgeMs(bucket), this.#max);
    }
    return 0;
  }

  /** Each non-empty bucket: its upper edge in ms and its count. */
  buckets(): { upToMs: number; count: number }[] {
    return this.#counts
      .map((count, bucket) => ({ upToMs: upperEdgeMs(bucket), count }))
      .filter(({ count }) => count > 0);
  }

  toJSON(): HistogramData {
    return { counts: this.#counts, count: this.#count, sum: this.#sum, max: this.#max };
  }
}

function bucketOf(valueMs: number): number {
  if (valueMs < MIN_MS) return 0;
  return 1 + Math.floor(Math.log2(valueMs / MIN_MS) * BUCKETS_PER_OCTAVE);
}

function upperEdgeMs(bucket: number): number {
  return bucket === 0 ? MIN_MS : MIN_MS * 2 ** (bucket / BUCKETS_PER_OCTAVE);
}
