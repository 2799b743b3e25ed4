import type { CallOutcomes } from "@parley/shared/contracts/analytics.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { type Period, readTallies, type TallyRow } from "./period-store.ts";
import { findSources } from "./sources.ts";
import type { Measure } from "./sums.ts";

const MOST_WORDS = 20;
/** Reads more than is shown, so that two lists merged into one contain the same words as far as they are shown. */
const MOST_READ = 5 * MOST_WORDS;

/** How the calls of a period ended, were handled and were judged. */
export async function readCallOutcomes(
  db: Kysely<Tables>,
  orgId: string,
  period: Omit<Period, "stepSecs">,
): Promise<CallOutcomes> {
  const { days, edges, open } = await findSources(db, orgId, period);
  const sources = { days, quarters: [...edges, ...open] };
  const rows = await readTallies(db, orgId, { filter: period, ...sources, most: MOST_READ });
  const of = (measure: Measure): TallyRow[] => rows.filter((row) => row.measure === measure);
  const most = (measure: Measure): { value: string; times: number }[] =>
    of(measure)
      .slice(0, MOST_WORDS)
      .map(({ value, times }) => ({ value, times }));
  const timesIn = (measure: Measure): Map<string, number> =>
    new Map(of(measure).map(({ value, times }) => [value, times]));
  const failures = timesIn("tool_failure");
  const [met, missed] = [timesIn("qa_met"), timesIn("qa_missed")];
  const qa = [...new Set([...met.keys(), ...missed.keys()])].map((key) => ({
    key,
    met: met.get(key) ?? 0,
    missed: missed.get(key) ?? 0,
  }));
  return {
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    endReasons: most("end_reason"),
    interruptions: of("interruption").reduce((sum, { times }) => sum + times, 0),
    tools: most("tool").map(({ value, times }) => ({
      name: value,
      calls: times,
      failed: failures.get(value) ?? 0,
    })),
    sentiments: most("sentiment"),
    dispositions: most("disposition"),
    topics: most("topic"),
    qa: qa.toSorted((a, b) => b.met + b.missed - a.met - a.missed).slice(0, MOST_WORDS),
  };
}
