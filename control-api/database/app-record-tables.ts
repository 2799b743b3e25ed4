import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type MaybeTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface AppRecordTables {
  app_stores: AppStoresTable;
  app_records: AppRecordsTable;
  app_record_values: AppRecordValuesTable;
  app_files: AppFilesTable;
}

/** All records of one type of one app in one organization. */
interface AppStoresTable {
  id: Generated<number>;
  org_id: string;
  app_id: string;
  object_type: string;
  records: number;
  /** bigint: node-postgres gives it as text. */
  bytes: ColumnType<string | number, number, number>;
  /** The app was uninstalled: its records are being deleted. */
  removed_at: MaybeTimestamp;
}

interface AppRecordsTable {
  /** bigint: node-postgres gives it as text. */
  seq: Generated<string>;
  store_id: number;
  id: string;
  data: ColumnType<Record<string, unknown>, string, string>;
  size_bytes: number;
  /** Of types that can be searched. */
  words: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Timestamp;
  updated_at: MaybeTimestamp;
}

/** A plain value of a record, by the path of its field: what queries and orders go by. */
interface AppRecordValuesTable {
  record: ColumnType<string, string | number, string | number>;
  store_id: number;
  field: string;
  /** s text, n number, b boolean. */
  kind: string;
  /** As text, its first 256 characters. */
  text_value: string;
  /** Of numbers, and of texts that are written as one. */
  num_value: number | null;
}

/** A file of an app; its bytes are where recordings are. */
interface AppFilesTable {
  id: string;
  org_id: string;
  app_id: string;
  path: string;
  key: string;
  size_bytes: number;
  updated_at: Timestamp;
  /** It is being uploaded, or was replaced or deleted: nobody sees it. */
  hidden_at: MaybeTimestamp;
}
