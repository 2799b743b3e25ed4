import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface IntegrationTables {
  org_data_keys: OrgDataKeysTable;
  integration_connections: IntegrationConnectionsTable;
  demo_shop_bookings: DemoShopBookingsTable;
  connection_runs: ConnectionRunsTable;
}

/** What an organization's credentials are sealed with; itself sealed with SECRETS_KEY. */
interface OrgDataKeysTable {
  org_id: string;
  id: string;
  key_sealed: string;
  created_at: Timestamp;
  /** Since then it seals nothing; one of an organization's is null. */
  retired_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

interface IntegrationConnectionsTable {
  id: string;
  org_id: string;
  provider_id: string;
  /** Which account it is, no secret; '' where only the vendor knows. */
  account: string;
  label: string;
  status: "active" | "error" | "disconnected";
  /** JSON of the credentials, sealed with the data key. */
  credentials_sealed: string;
  data_key_id: string;
  /** JSON, text by name: secrets are a mask. */
  credentials_shown: string;
  /** JSON, text by name. */
  settings: string;
  /** JSON, text by name: what the vendor told at the last verification. */
  facts: string;
  last_error: string | null;
  /** JSON, texts. */
  warnings: string;
  verified_at: ColumnType<Date | null, Date | null, Date | null>;
  /** One more with each change of credentials, settings or facts. */
  version: number;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** What was done in an account, without what was said or found there; kept for 30 days. */
interface ConnectionRunsTable {
  id: Generated<string>;
  org_id: string;
  connection_id: string;
  capability: string;
  /** `success`, `abandoned`, or the code of what went wrong. */
  outcome: string;
  took_ms: number;
  /** The conversation it was done in; null: somebody tried it, or the conversation was erased. */
  session_id: string | null;
  at: Timestamp;
}

/** Appointments of the built-in shop, of which callers may make and move some. */
interface DemoShopBookingsTable {
  connection_id: string;
  id: string;
  email: string;
  title: string;
  starts_at: Timestamp;
  status: "confirmed" | "canceled";
  /** The conversation it was made in; null: it came with the shop. */
  session_id: ColumnType<string | null, string | null | undefined, never>;
}
