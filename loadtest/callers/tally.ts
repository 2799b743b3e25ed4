import { Histogram, type HistogramData } from "../report/histogram.ts";

const HISTOGRAMS = ["setup", "response", "bargeIn", "lateness"] as const;
const COUNTERS = [
  "framesSent",
  "framesHeard",
  "lateOver5",
  "lateOver20",
  "lateOver60",
  "lateHeard",
  "turns",
  "interruptions",
  "callsFailed",
  "callsLost",
  "errorsTold",
] as const;

type HistogramName = (typeof HISTOGRAMS)[number];
type CounterName = (typeof COUNTERS)[number];

/** A tally as sent between processes. */
export interface TallyData {
  readonly times: Readonly<Record<HistogramName, HistogramData>>;
  readonly counts: Readonly<Record<CounterName, number>>;
  /** Error messages, with their counts. */
  readonly complaints: Readonly<Record<string, number>>;
}

/** Counts and measurements of synthetic callers; tallies of several processes add up. */
export class Tally {
  readonly times: Readonly<Record<HistogramName, Histogram>>;
  readonly counts: Record<CounterName, number>;
  readonly complaints: Record<string, number> = {};

  constructor() {
    this.times = byName(HISTOGRAMS, () => new Histogram());
    this.counts = byName(COUNTERS, () => 0);
  }

  /** Counts a frame that arrived `lateMs` after it was due, which was `leadMs` before playback. */
  late(lateMs: number, leadMs: number): void {
    this.counts.framesHeard += 1;
    this.times.lateness.record(lateMs);
    if (lateMs > 5) this.counts.lateOver5 += 1;
    if (lateMs > 20) this.counts.lateOver20 += 1;
    if (lateMs > 60) this.counts.lateOver60 += 1;
    if (lateMs > leadMs) this.counts.lateHeard += 1;
  }

  complain(what: string): void {
    this.complaints[what] = (this.complaints[what] ?? 0) + 1;
  }

  /** A new tally that keeps only the call setup figures. */
  afterSetUp(): Tally {
    const tally = new Tally();
    tally.times.setup.merge(this.times.setup.toJSON());
    tally.counts.callsFailed = this.counts.callsFailed;
    return tally;
  }

  add(other: TallyData): void {
    for (const name of HISTOGRAMS) this.times[name].merge(other.times[name]);
    for (const name of COUNTERS) this.counts[name] += other.counts[name];
    for (const [what, count] of Object.entries(other.complaints)) {
      this.complaints[what] = (this.complaints[what] ?? 0) + count;
    }
  }

  toJSON(): TallyData {
    const times = byName(HISTOGRAMS, (name) => this.times[name].toJSON());
    return { times, counts: { ...this.counts }, complaints: { ...this.complaints } };
  }
}

function byName<K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;
}
