import { type IntegrationConnection, SECRET_MASK } from "@parley/shared/contracts/integrations.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { DataKeys } from "../../sealed/data-keys.ts";
import type { DataKeyColumn } from "../../sealed/roll-data-keys.ts";
import { type Account, type Connector, capabilitiesOf } from "../connector.ts";
import type { ConnectionRow, RowChanges } from "./store.ts";

type Values = Readonly<Record<string, string>>;

/** The account of a stored connection. Throws `AppError` internal when its credentials cannot be opened. */
export async function accountOf(
  db: Kysely<Tables>,
  row: ConnectionRow,
  dataKeys: DataKeys,
): Promise<Account> {
  const sealed = { sealed: row.credentials_sealed, dataKeyId: row.data_key_id };
  const text = await dataKeys.open(db, { orgId: row.org_id, row: rowContext(row.id) }, sealed);
  return {
    credentials: JSON.parse(text) as Values,
    settings: parsed(row.settings),
    facts: parsed(row.facts),
  };
}

/** The columns that hold the credentials. */
export async function credentialColumns(
  db: Kysely<Tables>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  { connector, credentials }: { readonly connector: Connector; readonly credentials: Values },
  dataKeys: DataKeys,
): Promise<Required<Pick<RowChanges, "credentials_sealed" | "data_key_id" | "credentials_shown">>> {
  const text = JSON.stringify(credentials);
  const { sealed, dataKeyId } = await dataKeys.seal(db, { orgId, row: rowContext(id) }, text);
  const shown = JSON.stringify(masked(connector, credentials));
  return { credentials_sealed: sealed, data_key_id: dataKeyId, credentials_shown: shown };
}

/** The sealing context of credentials, besides their organization. */
export function rowContext(connectionId: string): string {
  return `integration:${connectionId}:credentials`;
}

/** The sealed column of credentials, for data key rotation. */
export const CONNECTION_CREDENTIALS: DataKeyColumn = {
  table: "integration_connections",
  column: "credentials_sealed",
  keyColumn: "data_key_id",
  row: rowContext,
};

/** A connection as shown; reads no secret. */
export function toConnection(row: ConnectionRow, connector: Connector | undefined): IntegrationConnection {
  const { id, provider_id: providerId, label, status, last_error: lastError } = row;
  return {
    id,
    providerId,
    label,
    status,
    credentials: parsed(row.credentials_shown),
    settings: parsed(row.settings),
    capabilities: connector ? capabilitiesOf(connector) : [],
    ...(status === "error" && lastError !== null ? { lastError } : {}),
    verifiedAt: row.verified_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function masked({ credentials: fields }: Connector, credentials: Values): Values {
  const isPublic = (key: string) => fields.find((field) => field.key === key)?.isPublic === true;
  return Object.fromEntries(
    Object.entries(credentials).map(([key, value]) => [key, isPublic(key) ? value : SECRET_MASK]),
  );
}

function parsed(json: string): Record<string, string> {
  return JSON.parse(json) as Record<string, string>;
}
