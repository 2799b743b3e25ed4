import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { DAY_MS, QUARTER_MS } from "./sums.ts";

/** From `fromMs` (inclusive) to `toMs` (exclusive), in milliseconds since 1970. */
export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where to read the counts of a period. */
export interface Sources {
  /** Rolled-up days: `rolled` consists of the whole `days` and the `edges`. */
  readonly rolled: readonly Range[];
  readonly days: readonly Range[];
  readonly edges: readonly Range[];
  /** Today, days changed late, and days not rolled up yet. */
  readonly open: readonly Range[];
}

/** Determines which parts of a period are rolled up now. */
export async function findSources(
  db: Kysely<Tables>,
  orgId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Sources> {
  const first = new Date(startOf(from.getTime()));
  const { rows } = await sql<{ day: Date }>`
    select day from rolled_days
    where day >= ${first} and day < ${to}
      and not exists (select from late_days where org_id = ${orgId} and late_days.day = rolled_days.day)
    order by day`.execute(db);
  return sourcesOf(
    { fromMs: from.getTime(), toMs: Math.ceil(to.getTime() / QUARTER_MS) * QUARTER_MS },
    rows.map(({ day }) => day.getTime()),
  );
}

/** Like `findSources`, for the given rolled-up days, oldest first. `period` consists of whole quarter hours. */
export function sourcesOf(period: Range, rolledDays: readonly number[]): Sources {
  const parts = rolledDays
    .map((dayMs) => ({
      fromMs: Math.max(dayMs, period.fromMs),
      toMs: Math.min(dayMs + DAY_MS, period.toMs),
    }))
    .filter(({ fromMs, toMs }) => fromMs < toMs);
  const isWhole = ({ fromMs, toMs }: Range): boolean => toMs - fromMs === DAY_MS;
  const rolled = joined(parts);
  const ends = [period.fromMs, ...rolled.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), period.toMs];
  const open = Array.from({ length: ends.length / 2 }, (_, gap) => ({
    fromMs: ends[2 * gap] ?? 0,
    toMs: ends[2 * gap + 1] ?? 0,
  }));
  return {
    rolled,
    days: joined(parts.filter(isWhole)),
    edges: joined(parts.filter((part) => !isWhole(part))),
    open: open.filter(({ fromMs, toMs }) => fromMs < toMs),
  };
}

function joined(parts: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const part of parts) {
    const last = ranges.at(-1);
    if (last?.toMs === part.fromMs) ranges.splice(-1, 1, { fromMs: last.fromMs, toMs: part.toMs });
    else ranges.push(part);
  }
  return ranges;
}

function startOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** Ranges as a table `range (a, b)` in a statement. */
export function asTable(ranges: readonly Range[]) {
  const times = (of: (range: Range) => number): string[] =>
    ranges.map((range) => new Date(of(range)).toISOString());
  return sql`unnest(${times(({ fromMs }) => fromMs)}::timestamptz[], ${times(({ toMs }) => toMs)}::timestamptz[]) as range (a, b)`;
}
