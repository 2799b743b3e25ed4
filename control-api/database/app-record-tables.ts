import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type MaybeTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface AppRecordTables {
  app_stores: AppStoresTable;
  app_records: AppRecordsTable;
  app_record_values: AppRecordValuesTable;
  app_record_vectors: AppRecordVectorsTable;
  app_files: AppFilesTable;
}

/** All records of one app's type in one organization. */
interface AppStoresTable {
  id: Generated<number>;
  org_id: string;
  app_id: string;
  object_type: string;
  records: number;
  /** bigint, which node-postgres returns as text. */
  bytes: ColumnType<string | number, number, number>;
  /** Set once the app is uninstalled and its records are being deleted. */
  removed_at: MaybeTimestamp;
}

interface AppRecordsTable {
  /** bigint, which node-postgres returns as text. */
  seq: Generated<string>;
  store_id: number;
  id: string;
  data: ColumnType<Record<string, unknown>, string, string>;
  size_bytes: number;
  /** Only for searchable types. */
  words: ColumnType<string | null, string | null | undefined, string | null>;
  /** The space that it has a vector of, or was refused by; null after each change. */
  embedded_in: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Timestamp;
  updated_at: MaybeTimestamp;
}

/** What a record means: its vector in a space. */
interface AppRecordVectorsTable {
  record: ColumnType<string, string, never>;
  store_id: number;
  space: string;
  embedding: number[];
}

/** A scalar value of a record, by field path: what queries filter and sort by. */
interface AppRecordValuesTable {
  record: ColumnType<string, string | number, string | number>;
  store_id: number;
  field: string;
  /** `s` text, `n` number, `b` boolean. */
  kind: string;
  /** The first 256 characters as text. */
  text_value: string;
  /** Set for numbers and texts that are numeric. */
  num_value: number | null;
}

/** An app's file; its bytes are stored with recordings. */
interface AppFilesTable {
  id: string;
  org_id: string;
  app_id: string;
  path: string;
  key: string;
  size_bytes: number;
  updated_at: Timestamp;
  /** Set while uploading and after replacement or deletion: invisible to everybody. */
  hidden_at: MaybeTimestamp;
}
