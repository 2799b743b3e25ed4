import type { Rehearsal, RehearsalChange, Scenario } from "@parley/shared/contracts/rehearsals.ts";
import type { CallerNoise, RehearsalMode } from "@parley/shared/contracts/spoken-rehearsals.ts";
import type { ColumnType } from "kysely";

export interface RehearsalTables {
  rehearsal_reports: RehearsalReportsTable;
}

/** A saved agent, or a draft of it, as it was when its rehearsals were asked for. */
interface RehearsedAgentRow {
  readonly name: string;
  readonly version: number;
  readonly settings: Record<string, unknown>;
  readonly sealed: Record<string, string>;
}

/** Results of rehearsals requested together. */
interface RehearsalReportsTable {
  id: string;
  org_id: string;
  agent_id: string;
  /** For a draft, the version it changes. */
  agent_version: number;
  of_draft: boolean;
  /** Of everything the agent's conversations consist of: identifies what was rehearsed. */
  fingerprint: string;
  /** Covers all of the agent's own scenarios. */
  is_own: boolean;
  mode: RehearsalMode;
  state: "running" | "done" | "failed";
  /** Why not all were held. */
  error: string | null;
  /** Behind the callers of spoken ones. */
  noise: ColumnType<CallerNoise | null, string | null, string | null>;
  /** What is rehearsed, secrets sealed; only while a report runs. */
  agent: ColumnType<RehearsedAgentRow | null, string | null, string | null>;
  passed: number;
  total: number;
  took_ms: number;
  scenarios: ColumnType<Scenario[], string, string>;
  rehearsals: ColumnType<Rehearsal[], string, string>;
  changes: ColumnType<RehearsalChange[], string, string>;
  created_by: string;
  created_at: ColumnType<Date, Date | string, Date | string>;
}
