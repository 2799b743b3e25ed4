import type { MEMORY_KINDS } from "@parley/shared/contracts/memory.ts";
import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface AnalysisTables {
  call_analyses: CallAnalysesTable;
  pii_vault: PiiVaultTable;
  memories: MemoriesTable;
}

/** A call's finished analysis; one per call. */
interface CallAnalysesTable {
  session_id: string;
  org_id: string;
  /** `callAnalysis`, as in `call.analyzed`. */
  analysis: ColumnType<object | null, string | null, never>;
  /** Why the call has no analysis and never will. */
  error: string | null;
  analyzed_at: Timestamp;
}

/** Personal data collected in a call, each value sealed with the organization's data key. */
interface PiiVaultTable {
  id: string;
  session_id: string;
  org_id: string;
  rule_slug: string;
  field_key: string | null;
  source: string;
  value_sealed: string;
  data_key_id: string;
  expires_at: Timestamp;
  created_at: Timestamp;
}

/** What an agent remembers about a person. */
interface MemoriesTable {
  id: string;
  org_id: string;
  agent_id: string;
  identifier: string;
  kind: (typeof MEMORY_KINDS)[number];
  /** The analysis field, remembered once. */
  key: string | null;
  text: string;
  /** The conversation of origin; null if a person wrote it. */
  session_id: string | null;
  corrected_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: Timestamp;
  updated_at: Timestamp;
  expires_at: Timestamp;
}
