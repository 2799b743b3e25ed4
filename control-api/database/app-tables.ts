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

/** An app, in the organization that publishes it. */
interface AppsTable {
  id: string;
  org_id: string;
  /** The id in its manifest. */
  manifest_id: string;
  name: string;
  description: ColumnType<string, string | undefined, string>;
  /** Whether every organization may install it; only the operator sets this. */
  listed: ColumnType<boolean, boolean | undefined, boolean>;
  /** The version new installs get; null until one is activated. */
  active_version: ColumnType<string | null, string | null | undefined, string | null>;
  created_by: string;
  created_at: Timestamp;
}

interface AppVersionsTable {
  app_id: string;
  version: string;
  /** As in `platform/manifest`. */
  manifest: ColumnType<unknown, string, string>;
  /** Copied from the manifest, so that the database can decide on updates. */
  scopes: ColumnType<string[], string, string>;
  /** Warnings of the publish checks. */
  problems: ColumnType<unknown[], string, string>;
  size_bytes: number;
  created_by: string;
  created_at: Timestamp;
  /** Set once the version may no longer run. */
  withdrawn_at: MaybeTimestamp;
}

interface AppBundleFilesTable {
  app_id: string;
  version: string;
  path: string;
  bytes: Buffer;
}

/** An app installed in an organization, which agreed to its scopes. */
interface AppInstallsTable {
  org_id: string;
  app_id: string;
  /** The running version: the active one, or the last one agreed to if the active one asks for more. */
  version: string;
  /** The scopes agreed to. */
  scopes: ColumnType<string[], string, string>;
  /** Texts and booleans by key; secrets are in `app_secrets`. */
  settings: ColumnType<Record<string, string | boolean>, string, string>;
  installed_by: string;
  installed_at: Timestamp;
  updated_at: Timestamp;
}

interface AppSecretsTable {
  /** Derived from the next three columns; the secret is bound to it. */
  id: string;
  org_id: string;
  app_id: string;
  key: string;
  sealed: string;
  data_key_id: string;
}

/** The credential of an app's own backend at `/api/app-…`; only the SHA-256 of the secret is stored. */
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

/** An app's link; only the SHA-256 of its token is stored. */
interface AppLinksTable {
  id: string;
  org_id: string;
  app_id: string;
  token_hash: string;
  action: string;
  target_type: string;
  target_id: string;
  /** Shown to anybody who opens the link. */
  context: ColumnType<Record<string, unknown>, string, string>;
  single_use: boolean;
  code_hash: string | null;
  created_by: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  used_at: MaybeTimestamp;
  revoked_at: MaybeTimestamp;
}
