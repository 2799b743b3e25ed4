import type { PublicSettings } from "@parley/shared/contracts/public-agents.ts";
import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface PublicTables {
  public_agents: PublicAgentsTable;
  public_visits: PublicVisitsTable;
  public_leads: PublicLeadsTable;
}

/** How strangers may reach an agent; stays when it is private again. */
interface PublicAgentsTable {
  agent_id: string;
  org_id: string;
  slug: string;
  is_public: boolean;
  settings: ColumnType<PublicSettings, string, string>;
  /** Of the access code, as `shared/security/access-codes.ts` makes it. */
  code_hash: string | null;
  changed_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** How many conversations a visitor began on a day; those of all have the visitor ''. */
interface PublicVisitsTable {
  agent_id: string;
  /** `2026-01-31`, in UTC. */
  day: string;
  /** A hash: the table is no list of who was there. */
  visitor: string;
  count: number;
}

/** What a visitor said of themselves before a conversation. */
interface PublicLeadsTable {
  id: string;
  org_id: string;
  agent_id: string;
  session_id: string;
  fields: ColumnType<Record<string, string>, string, string>;
  created_at: Timestamp;
}
