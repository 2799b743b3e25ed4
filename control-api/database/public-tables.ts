import type { PublicSettings } from "@parley/shared/contracts/public-agents.ts";
import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface PublicTables {
  public_agents: PublicAgentsTable;
  public_visits: PublicVisitsTable;
  public_leads: PublicLeadsTable;
}

/** How strangers may reach an agent; kept when it becomes private again. */
interface PublicAgentsTable {
  agent_id: string;
  org_id: string;
  slug: string;
  is_public: boolean;
  settings: ColumnType<PublicSettings, string, string>;
  /** Hash of the access code (`shared/security/access-codes.ts`). */
  code_hash: string | null;
  changed_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** Conversations a visitor began on a day; the visitor '' has the total. */
interface PublicVisitsTable {
  agent_id: string;
  /** `2026-01-31`, in UTC. */
  day: string;
  /** A hash, so that the table does not list who was there. */
  visitor: string;
  count: number;
}

/** What a visitor entered before a conversation. */
interface PublicLeadsTable {
  id: string;
  org_id: string;
  agent_id: string;
  session_id: string;
  fields: ColumnType<Record<string, string>, string, string>;
  created_at: Timestamp;
}
