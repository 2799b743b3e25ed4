import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type MaybeTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface AppTables {
  apps: AppsTable;
  app_versions: AppVersionsTable;
  app_bundle_files: AppBundleFilesTable;
  app_installs: AppInstallsTable;
  app_secrets: AppSecretsTable;
  app_keys: AppKeysTable;
  app_links: AppLinksTable;
}

/** An app of the organization that publishes it. */
interface AppsTable {
  id: string;
  org_id: string;
  /** As its manifest names it. */
  manifest_id: string;
  name: string;
  description: ColumnType<string, string | undefined, string>;
  /** Every organization may install it; only the operator says so. */
  listed: ColumnType<boolean, boolean | undefined, boolean>;
  /** What is installed by whoever installs it now; null until one is activated. */
  active_version: ColumnType<string | null, string | null | undefined, string | null>;
  created_by: string;
  created_at: Timestamp;
}

interface AppVersionsTable {
  app_id: string;
  version: string;
  /** As `platform/manifest` has it. */
  manifest: ColumnType<unknown, string, string>;
  /** Again, for updates to be decided by the database. */
  scopes: ColumnType<string[], string, string>;
  /** What publish checks said, warnings only. */
  problems: ColumnType<unknown[], string, string>;
  size_bytes: number;
  created_by: string;
  created_at: Timestamp;
  /** Nobody may run it any more. */
  withdrawn_at: MaybeTimestamp;
}

interface AppBundleFilesTable {
  app_id: string;
  version: string;
  path: string;
  bytes: Buffer;
}

/** An app in an organization that agreed to what it may do. */
interface AppInstallsTable {
  org_id: string;
  app_id: string;
  /** The one that runs: the active one, or the last one agreed to when that asks for more. */
  version: string;
  /** What was agreed to. */
  scopes: ColumnType<string[], string, string>;
  /** Texts and booleans by key; secrets are in `app_secrets`. */
  settings: ColumnType<Record<string, string | boolean>, string, string>;
  installed_by: string;
  installed_at: Timestamp;
  updated_at: Timestamp;
}

interface AppSecretsTable {
  /** Made of the three that follow: what the secret is bound to. */
  id: string;
  org_id: string;
  app_id: string;
  key: string;
  sealed: string;
  data_key_id: string;
}

/** What an app's own backend shows at `/api/app-…`; only the SHA-256 of a secret is stored. */
interface AppKeysTable {
  id: string;
  org_id: string;
  app_id: string;
  name: string;
  secret_hash: string;
  last_four: string;
  created_by: string;
  created_at: Timestamp;
  last_used_at: MaybeTimestamp;
  revoked_at: MaybeTimestamp;
}

/** A link of an app; only the SHA-256 of its token is stored. */
interface AppLinksTable {
  id: string;
  org_id: string;
  app_id: string;
  token_hash: string;
  action: string;
  target_type: string;
  target_id: string;
  /** Shown to whoever opens it. */
  context: ColumnType<Record<string, unknown>, string, string>;
  single_use: boolean;
  code_hash: string | null;
  created_by: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  used_at: MaybeTimestamp;
  revoked_at: MaybeTimestamp;
}
