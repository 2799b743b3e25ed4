import { sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { DataKeys } from "./data-keys.ts";

/** A column whose texts are sealed with data keys, in a table with `id`, `org_id` and `data_key_id`. */
export interface DataKeyColumn {
  readonly table: string;
  readonly column: string;
  /** What a row's text is bound to besides its organization. */
  readonly row: (id: string) => string;
}

/** How many organizations have a new data key, and how many texts were sealed again with it. */
export interface RolledKeys {
  readonly orgs: number;
  readonly resealed: number;
}

interface SealedRow {
  readonly id: string;
  readonly sealed: string;
  readonly dataKeyId: string;
}

/**
 * Gives each organization a new data key, seals again what the old ones sealed, and deletes those that nothing needs any more.
 * Safe beside live traffic: a text that was changed meanwhile is sealed with the new key already. May be broken off and run again.
 */
export async function rollDataKeys(
  columns: readonly DataKeyColumn[],
  { database, dataKeys }: { readonly database: Database; readonly dataKeys: DataKeys },
): Promise<RolledKeys> {
  const { db } = database;
  const orgs = await db.selectFrom("org_data_keys").select("org_id").distinct().orderBy("org_id").execute();
  let resealed = 0;
  for (const { org_id: orgId } of orgs) {
    await dataKeys.retire(db, orgId);
    for (const column of columns) resealed += await resealRows(column, orgId, { database, dataKeys });
    await deleteUnused(columns, orgId, database);
  }
  return { orgs: orgs.length, resealed };
}

async function resealRows(
  { table, column, row }: DataKeyColumn,
  orgId: string,
  { database: { db }, dataKeys }: { readonly database: Database; readonly dataKeys: DataKeys },
): Promise<number> {
  const { rows } = await sql<SealedRow>`
    select id, ${sql.ref(column)} as sealed, data_key_id as "dataKeyId" from ${sql.table(table)}
    where org_id = ${orgId} and data_key_id in (
      select id from org_data_keys where org_id = ${orgId} and retired_at is not null)`.execute(db);
  let resealed = 0;
  for (const { id, sealed, dataKeyId } of rows) {
    const owner = { orgId, row: row(id) };
    const text = await dataKeys.open(db, owner, { sealed, dataKeyId });
    const again = await dataKeys.seal(db, owner, text);
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${again.sealed}, data_key_id = ${again.dataKeyId}
      where id = ${id} and ${sql.ref(column)} = ${sealed}`.execute(db);
    resealed += Number(numAffectedRows ?? 0n);
  }
  return resealed;
}

async function deleteUnused(
  columns: readonly DataKeyColumn[],
  orgId: string,
  { db }: Database,
): Promise<void> {
  const isUsed = sql.join(
    columns.map(
      ({ table }) =>
        sql`exists (select 1 from ${sql.table(table)} as u where u.org_id = k.org_id and u.data_key_id = k.id)`,
    ),
    sql` or `,
  );
  await sql`
    delete from org_data_keys as k
    where k.org_id = ${orgId} and k.retired_at is not null and not (${isUsed})`.execute(db);
}
