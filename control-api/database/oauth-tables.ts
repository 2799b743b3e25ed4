import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** Access a user granted at a vendor; its id is the connection's. */
export interface OAuthGrantsTable {
  id: string;
  org_id: string;
  status: "active" | "error";
  last_error: string | null;
  /** The tokens, their holder and where to renew them. */
  sealed: string;
  /** Expiry of the access token; null if unknown. */
  expires_at: Timestamp | null;
  /** When to renew it ahead of expiry. */
  refresh_at: Timestamp | null;
  version: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A consent under way. */
export interface OAuthFlowsTable {
  state_hash: string;
  org_id: string;
  /** Hash of the secret of the browser that began it; null accepts whichever opens the link first. */
  browser_hash: string | null;
  sealed: string;
  expires_at: Timestamp;
}

/** Parley's registrations at authorization servers with dynamic client registration. */
export interface OAuthClientsTable {
  org_id: string;
  issuer_hash: string;
  issuer: string;
  sealed: string;
  created_at: Timestamp;
}

/** A tool server that a user signed in to, or began to. */
export interface McpConnectionsTable {
  id: string;
  org_id: string;
  url: string;
  label: string;
  /** Scopes the server asked for beyond those granted. */
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
