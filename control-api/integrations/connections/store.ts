import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

export type ConnectionRow = Selectable<Tables["integration_connections"]>;
type NewRow = Omit<ConnectionRow, "version" | "updated_at" | "warnings" | "last_error" | "verified_at">;

/** Columns that verification or a change writes. */
export type RowChanges = Partial<
  Pick<
    ConnectionRow,
    | "account"
    | "label"
    | "status"
    | "credentials_sealed"
    | "data_key_id"
    | "credentials_shown"
    | "settings"
    | "facts"
    | "last_error"
    | "warnings"
    | "verified_at"
  >
>;

/** Undefined when the organization already has a connection to this account. */
export function insertConnection(
  trx: Kysely<Tables>,
  row: NewRow & Partial<Pick<ConnectionRow, "warnings" | "last_error" | "verified_at">>,
): Promise<ConnectionRow | undefined> {
  return trx
    .insertInto("integration_connections")
    .values({
      warnings: "[]",
      last_error: null,
      verified_at: null,
      ...row,
      version: 1,
      updated_at: row.created_at,
    })
    .onConflict((conflict) =>
      conflict.columns(["org_id", "provider_id", "account"]).where("account", "<>", "").doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
}

/**
 * Undefined when the row is gone, or changed since `version`. Changes to the account or how it is reached increment the
 * version. Throws the database's unique violation when another connection has the account.
 */
export function updateConnection(
  trx: Kysely<Tables>,
  { id, version, at }: { readonly id: string; readonly version: number; readonly at: Date },
  changes: RowChanges,
): Promise<ConnectionRow | undefined> {
  return trx
    .updateTable("integration_connections")
    .set({
      ...changes,
      ...(isAnotherVersion(changes) ? { version: version + 1, updated_at: at } : {}),
    })
    .where("id", "=", id)
    .where("version", "=", version)
    .returningAll()
    .executeTakeFirst();
}

/** Locks a connection until the transaction ends. */
export function lockConnection(
  trx: Kysely<Tables>,
  orgId: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  return rowsOf(trx, orgId).where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Locks all of an organization's connections, in one order, so that concurrent lockers never deadlock. */
export async function lockConnections(trx: Kysely<Tables>, orgId: string): Promise<void> {
  await rowsOf(trx, orgId).clearSelect().select("id").clearOrderBy().orderBy("id").forUpdate().execute();
}

/** Protects a connection from deletion until the transaction ends. False when it is gone. */
export async function holdConnection(trx: Kysely<Tables>, orgId: string, id: string): Promise<boolean> {
  const held = rowsOf(trx, orgId).clearSelect().select("id").where("id", "=", id).forKeyShare();
  return (await held.executeTakeFirst()) !== undefined;
}

/** Marks a connection whose access ended, unless a new consent was given meanwhile. */
export async function markAccessEnded(
  db: Kysely<Tables>,
  { orgId, id, lastError }: { readonly orgId: string; readonly id: string; readonly lastError: string },
): Promise<{ label: string } | undefined> {
  return db
    .updateTable("integration_connections as c")
    .set({ status: "error", last_error: lastError })
    .where("c.org_id", "=", orgId)
    .where("c.id", "=", id)
    .where((is) =>
      is.exists(
        is
          .selectFrom("oauth_grants as g")
          .select("g.id")
          .whereRef("g.id", "=", "c.id")
          .whereRef("g.org_id", "=", "c.org_id")
          .where("g.status", "=", "error"),
      ),
    )
    .returning("c.label")
    .executeTakeFirst();
}

/** False when the organization has no such connection. */
export async function deleteConnection(trx: Kysely<Tables>, orgId: string, id: string): Promise<boolean> {
  const deleted = await trx
    .deleteFrom("integration_connections")
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Planned once, as callers wait for it: planning takes longer than reading one row. */
export async function findConnection(
  db: Kysely<Tables>,
  orgId: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  const { rows } = await sql<ConnectionRow>`
    -- prepared: integrations-find-connection
    select ${COLUMNS} from integration_connections where id = ${id} and org_id = ${orgId}`.execute(db);
  return rows[0];
}

/** The connection that has this account. */
export function findByAccount(
  db: Kysely<Tables>,
  { orgId, providerId, account }: { orgId: string; providerId: string; account: string },
): Promise<ConnectionRow | undefined> {
  return rowsOf(db, orgId)
    .where("provider_id", "=", providerId)
    .where("account", "=", account)
    .executeTakeFirst();
}

/** Connections, newest first. */
export function listConnections(
  db: Kysely<Tables>,
  orgId: string,
  providerIds?: readonly string[],
): Promise<ConnectionRow[]> {
  const rows = rowsOf(db, orgId).orderBy("id", "desc").limit(MAX_LISTED);
  return (providerIds === undefined ? rows : rows.where("provider_id", "in", [...providerIds, ""])).execute();
}

/** The newest active connection of these connectors. */
export async function findNewestActive(
  db: Kysely<Tables>,
  orgId: string,
  providerIds: readonly string[],
): Promise<ConnectionRow | undefined> {
  const { rows } = await sql<ConnectionRow>`
    -- prepared: integrations-find-newest-active
    select ${COLUMNS} from integration_connections
    where org_id = ${orgId} and provider_id = any(${[...providerIds]}::text[]) and status = 'active'
    order by id desc limit 1`.execute(db);
  return rows[0];
}

const MAX_LISTED = 1_000;
/** Named, as the previous version's statements must not find a column more. */
const COLUMNS = sql.raw(
  [
    ...["id", "org_id", "provider_id", "account", "label", "status", "credentials_sealed", "data_key_id"],
    ...["credentials_shown", "settings", "facts", "last_error", "warnings", "verified_at", "version"],
    ...["created_by", "created_at", "updated_at"],
  ].join(", "),
);

function isAnotherVersion({ credentials_sealed, settings, facts, label }: RowChanges): boolean {
  return [credentials_sealed, settings, facts, label].some((value) => value !== undefined);
}

function rowsOf(db: Kysely<Tables>, orgId: string) {
  return db.selectFrom("integration_connections").selectAll().where("org_id", "=", orgId);
}
