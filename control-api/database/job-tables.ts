import type { ColumnType, JSONColumnType } from "kysely";

type WithDefault<T> = ColumnType<T, T | undefined, T>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** Work that is done beside requests, by whichever process claims it (docs/decisions/jobs.md). */
export interface JobsTable {
  id: string;
  kind: string;
  /** An organization's id, or `platform`: owners take turns. */
  owner: string;
  /** Of those of a kind and owner with the same key one runs at a time. */
  key: string | null;
  /** Ids of what it is about, never what people said. */
  payload: JSONColumnType<object>;
  state: WithDefault<"waiting" | "running" | "done" | "dead">;
  /** When it may be claimed: its next run, or the end of the lease of the one that runs. */
  due_at: Timestamp;
  /** Claims so far that count; one that a stopping process gave back does not. */
  attempts: WithDefault<number>;
  /** One more with each claim: what is written with an earlier one is not taken. */
  lease_epoch: WithDefault<number>;
  /** As its handler tells it. */
  progress: JSONColumnType<object> | null;
  /** Of the last run that failed. */
  error: string | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;
}

export interface JobTables {
  jobs: JobsTable;
}
