import type { Rehearsal, RehearsalChange, Scenario } from "@parley/shared/contracts/rehearsals.ts";
import type { ColumnType } from "kysely";

export interface RehearsalTables {
  rehearsal_reports: RehearsalReportsTable;
}

/** What came of rehearsals that were asked for together. */
interface RehearsalReportsTable {
  id: string;
  org_id: string;
  agent_id: string;
  /** Of a draft, the version that it changes. */
  agent_version: number;
  of_draft: boolean;
  /** Of all that the agent's conversations are made of: what was rehearsed is known again by it. */
  fingerprint: string;
  /** Of all the agent's own scenarios. */
  is_own: boolean;
  passed: number;
  total: number;
  took_ms: number;
  scenarios: ColumnType<Scenario[], string, string>;
  rehearsals: ColumnType<Rehearsal[], string, string>;
  changes: ColumnType<RehearsalChange[], string, string>;
  created_by: string;
  created_at: ColumnType<Date, Date | string, Date | string>;
}
