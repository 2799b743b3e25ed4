import type { ColumnType, JSONColumnType } from "kysely";

type WithDefault<T> = ColumnType<T, T | undefined, T>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** Background work, done by whichever process claims it (docs/decisions/jobs.md). */
export interface JobsTable {
  id: string;
  kind: string;
  /** An organization's id or `platform`; owners take turns. */
  owner: string;
  /** Jobs with the same kind, owner and key run one at a time. */
  key: string | null;
  /** Ids of the subjects, never what people said. */
  payload: JSONColumnType<object>;
  state: WithDefault<"waiting" | "running" | "done" | "dead">;
  /** When it may be claimed: its next run, or the end of the current lease. */
  due_at: Timestamp;
  /** Claims that count; claims returned by a stopping process do not. */
  attempts: WithDefault<number>;
  /** Incremented with each claim: writes under an earlier epoch are refused. */
  lease_epoch: WithDefault<number>;
  /** As reported by its handler. */
  progress: JSONColumnType<object> | null;
  /** Error of the last failed run. */
  error: string | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;
}

export interface JobTables {
  jobs: JobsTable;
}
