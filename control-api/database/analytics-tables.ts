import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;
/** bigint, which node-postgres returns as text. */
type Big = ColumnType<string, number, number>;

/** Finished calls, counted by the quarter hour in which they were made. Contains nothing about who spoke. */
export interface CallCountsTable {
  org_id: string;
  quarter: Timestamp;
  /** Empty without an agent. */
  agent_id: string;
  channel: string;
  ended: number;
  /** Calls that went live. */
  answered: number;
  failed: number;
  talk_secs: Big;
}

/** Response times in those calls, bucketed by powers of 1.1 (`control-api/records/analytics/response-times.ts`). */
export interface ResponseCountsTable {
  org_id: string;
  quarter: Timestamp;
  agent_id: string;
  /** Empty for calls from before channels were counted. */
  channel: WithDefault<string>;
  bucket: number;
  turns: number;
}

/** How often calls ended, were transferred or were judged in each way (`control-api/records/analytics/tallies.ts`). */
export interface CallTalliesTable {
  org_id: string;
  quarter: Timestamp;
  agent_id: string;
  channel: string;
  measure: string;
  value: string;
  times: number;
}

/** What analytics reads for finished days (`control-api/records/analytics/roll-up.ts`). */
export interface CallFiguresTable {
  org_id: string;
  grain: "quarter" | "day";
  /** `*`: all agents. */
  agent_id: string;
  /** `*`: all channels. */
  channel: string;
  at: Timestamp;
  ended: number;
  answered: number;
  failed: number;
  talk_secs: Big;
  /** Non-empty buckets as in `response_counts`, and the turns in each. */
  buckets: number[];
  turns: number[];
}

export interface WordFiguresTable {
  org_id: string;
  agent_id: string;
  channel: string;
  day: Timestamp;
  measure: string;
  value: string;
  times: number;
}

/** UTC days whose counts are rolled up for all organizations with calls on them. */
export interface RolledDaysTable {
  day: Timestamp;
}

/** Finished days whose counts changed afterwards: a row per change, until the day is rolled up again. */
export interface LateDaysTable {
  org_id: string;
  day: Timestamp;
}

/** The calls behind a counted word of the figures. */
export interface CallWordsTable {
  org_id: string;
  measure: string;
  value: string;
  /** When the call was made. */
  created_at: Timestamp;
  call_id: string;
}

export interface AnalyticsTables {
  call_words: CallWordsTable;
  call_figures: CallFiguresTable;
  word_figures: WordFiguresTable;
  rolled_days: RolledDaysTable;
  late_days: LateDaysTable;
  call_tallies: CallTalliesTable;
  call_counts: CallCountsTable;
  response_counts: ResponseCountsTable;
}
