import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

/** A table of connections: each row is an organization's account at a provider, with its sealed credentials. */
export interface ConnectionsTable<P extends string> {
  readonly table: keyof Tables;
  /** The column with the provider, one of `providers`. */
  readonly providerColumn: string;
  readonly providers: readonly P[];
}

export interface StoredConnection<P extends string> {
  readonly id: string;
  readonly orgId: string;
  readonly provider: P;
  /** Identifies the account; not secret. */
  readonly account: string;
  readonly credentialsSealed: string;
  /** Incremented with each change of the credentials. */
  readonly version: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewConnection<P extends string> = Omit<StoredConnection<P>, "version" | "updatedAt">;

/** Returns undefined if another connection of the organization conflicts, by the table's unique indexes. */
export async function insertConnection<P extends string>(
  trx: Kysely<Tables>,
  table: ConnectionsTable<P>,
  { id, orgId, provider, account, credentialsSealed, createdBy, createdAt }: NewConnection<P>,
): Promise<StoredConnection<P> | undefined> {
  const { rows } = await sql<StoredConnection<P>>`
    insert into ${sql.table(table.table)}
      (id, org_id, ${sql.ref(table.providerColumn)}, account, credentials_sealed, version, created_by, created_at, updated_at)
    values (${id}, ${orgId}, ${provider}, ${account}, ${credentialsSealed}, 1, ${createdBy}, ${createdAt}, ${createdAt})
    on conflict do nothing returning ${columnsOf(table)}`.execute(trx);
  return rows[0];
}

/** Undefined if the organization has no such connection. */
export async function updateCredentials<P extends string>(
  trx: Kysely<Tables>,
  table: ConnectionsTable<P>,
  {
    id,
    orgId,
    account,
    credentialsSealed,
    at,
  }: Pick<StoredConnection<P>, "id" | "orgId" | "account" | "credentialsSealed"> & { readonly at: Date },
): Promise<StoredConnection<P> | undefined> {
  const { rows } = await sql<StoredConnection<P>>`
    update ${sql.table(table.table)}
    set account = ${account}, credentials_sealed = ${credentialsSealed}, version = version + 1, updated_at = ${at}
    where org_id = ${orgId} and id = ${id} returning ${columnsOf(table)}`.execute(trx);
  return rows[0];
}

/** Returns false if the organization has no such connection. */
export async function deleteConnection<P extends string>(
  trx: Kysely<Tables>,
  { table }: ConnectionsTable<P>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<boolean> {
  const { rows } = await sql`
    delete from ${sql.table(table)} where org_id = ${orgId} and id = ${id} returning id`.execute(trx);
  return rows.length > 0;
}

/** An organization's connections, oldest first. */
export async function listConnections<P extends string>(
  db: Kysely<Tables>,
  table: ConnectionsTable<P>,
  orgId: string,
): Promise<StoredConnection<P>[]> {
  const { rows } = await sql<StoredConnection<P>>`
    select ${columnsOf(table)} from ${sql.table(table.table)} where org_id = ${orgId} order by id`.execute(
    db,
  );
  return rows;
}

/** Finds a connection by id, or an organization's oldest one at a provider. */
export async function findConnection<P extends string>(
  db: Kysely<Tables>,
  table: ConnectionsTable<P>,
  by: { readonly id: string } | { readonly orgId: string; readonly provider: P },
): Promise<StoredConnection<P> | undefined> {
  const isMeant =
    "id" in by
      ? sql`id = ${by.id}`
      : sql`org_id = ${by.orgId} and ${sql.ref(table.providerColumn)} = ${by.provider}`;
  const { rows } = await sql<StoredConnection<P>>`
    select ${columnsOf(table)} from ${sql.table(table.table)} where ${isMeant} order by id limit 1`.execute(
    db,
  );
  return rows[0];
}

function columnsOf<P extends string>({ providerColumn }: ConnectionsTable<P>) {
  return sql`id, org_id as "orgId", ${sql.ref(providerColumn)} as "provider", account,
    credentials_sealed as "credentialsSealed", version, created_by as "createdBy",
    created_at as "createdAt", updated_at as "updatedAt"`;
}
