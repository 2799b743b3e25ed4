import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** Access that somebody gave at a vendor; its id is the connection's. */
export interface OAuthGrantsTable {
  id: string;
  org_id: string;
  status: "active" | "error";
  last_error: string | null;
  /** The tokens, whose they are and where they are renewed. */
  sealed: string;
  /** Of the access token; null: nobody said. */
  expires_at: Timestamp | null;
  /** From when on it is renewed ahead of that. */
  refresh_at: Timestamp | null;
  version: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A consent that is under way. */
export interface OAuthFlowsTable {
  state_hash: string;
  org_id: string;
  /** Of the secret of the browser that began it; null: whichever opens the link first. */
  browser_hash: string | null;
  sealed: string;
  expires_at: Timestamp;
}

/** Parley as authorization servers know it that let clients register themselves. */
export interface OAuthClientsTable {
  org_id: string;
  issuer_hash: string;
  issuer: string;
  sealed: string;
  created_at: Timestamp;
}

/** A tool server that somebody signed in to, or began to. */
export interface McpConnectionsTable {
  id: string;
  org_id: string;
  url: string;
  label: string;
  /** What the server asked for beyond what was given. */
  wanted_scope: string | null;
  created_by: string;
  created_at: Timestamp;
}

export interface OAuthTables {
  oauth_grants: OAuthGrantsTable;
  oauth_flows: OAuthFlowsTable;
  oauth_clients: OAuthClientsTable;
  mcp_connections: McpConnectionsTable;
}
