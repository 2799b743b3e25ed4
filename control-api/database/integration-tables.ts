import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface IntegrationTables {
  org_data_keys: OrgDataKeysTable;
  org_digest_keys: OrgDigestKeysTable;
  integration_connections: IntegrationConnectionsTable;
  demo_shop_bookings: DemoShopBookingsTable;
  connection_runs: ConnectionRunsTable;
}

/** The key that seals an organization's credentials; itself sealed with SECRETS_KEY. */
interface OrgDataKeysTable {
  org_id: string;
  id: string;
  key_sealed: string;
  created_at: Timestamp;
  /** Set once it no longer seals; null for exactly one key per organization. */
  retired_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** The key of digests by which an organization recognizes what it has erased; sealed with SECRETS_KEY. */
interface OrgDigestKeysTable {
  org_id: string;
  key_sealed: string;
}

interface IntegrationConnectionsTable {
  id: string;
  org_id: string;
  provider_id: string;
  /** Identifies the account, not secret; '' if only the vendor knows. */
  account: string;
  label: string;
  status: "active" | "error" | "disconnected";
  /** Sealed with the data key: JSON of the credentials. */
  credentials_sealed: string;
  data_key_id: string;
  /** JSON object of texts, with secrets masked. */
  credentials_shown: string;
  /** JSON object of texts. */
  settings: string;
  /** JSON object of texts: what the vendor reported at the last verification. */
  facts: string;
  last_error: string | null;
  /** JSON array of texts. */
  warnings: string;
  verified_at: ColumnType<Date | null, Date | null, Date | null>;
  /** Incremented with each change of credentials, settings or facts. */
  version: number;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** Actions in an account, without what was said or found there; kept for 30 days. */
interface ConnectionRunsTable {
  id: Generated<string>;
  org_id: string;
  connection_id: string;
  capability: string;
  /** `success`, `abandoned`, or the error code. */
  outcome: string;
  took_ms: number;
  /** The conversation; null for a trial run or an erased conversation. */
  session_id: string | null;
  at: Timestamp;
}

/** Appointments of the built-in shop; callers can book and move some. */
interface DemoShopBookingsTable {
  connection_id: string;
  id: string;
  email: string;
  title: string;
  starts_at: Timestamp;
  status: "confirmed" | "canceled";
  /** The conversation it was made in; null if it came with the shop. */
  session_id: ColumnType<string | null, string | null | undefined, never>;
}
