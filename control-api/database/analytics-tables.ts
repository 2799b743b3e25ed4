import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;
/** bigint: node-postgres gives it as text. */
type Big = ColumnType<string, number, number>;

/** Calls that are over, counted by the quarter of an hour in which they were made. Nothing in it says who spoke. */
export interface CallCountsTable {
  org_id: string;
  quarter: Timestamp;
  /** Empty: of no agent. */
  agent_id: string;
  channel: string;
  ended: number;
  /** Those that went live. */
  answered: number;
  failed: number;
  talk_secs: Big;
}

/** How long answers took in those calls, by powers of 1.1 (`control-api/records/analytics/response-times.ts`). */
export interface ResponseCountsTable {
  org_id: string;
  quarter: Timestamp;
  agent_id: string;
  /** Empty: of calls from before channels were counted. */
  channel: WithDefault<string>;
  bucket: number;
  turns: number;
}

/** How often calls ended, went or were judged in a way; `control-api/records/analytics/tallies.ts` says in which. */
export interface CallTalliesTable {
  org_id: string;
  quarter: Timestamp;
  agent_id: string;
  channel: string;
  measure: string;
  value: string;
  times: number;
}

export interface AnalyticsTables {
  call_tallies: CallTalliesTable;
  call_counts: CallCountsTable;
  response_counts: ResponseCountsTable;
}
