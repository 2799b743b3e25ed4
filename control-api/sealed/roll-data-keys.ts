import { sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { DataKeys } from "./data-keys.ts";
import { keyIdOf } from "./sealed-texts.ts";

/** A column of texts sealed with data keys, in a table with `id` and `org_id`. */
export interface DataKeyColumn {
  readonly table: string;
  readonly column: string;
  /** The column that repeats the key's id beside the text. */
  readonly keyColumn?: string;
  /** What a row's text is bound to besides its organization. */
  readonly row: (id: string) => string;
}

/** How many organizations got a new data key, and how many texts were resealed with it. */
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
 * Gives each organization a new data key, reseals what the old ones sealed, and deletes keys no longer needed. Safe
 * beside live traffic: a text changed meanwhile is already sealed with the new key. May be interrupted and run again.
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
  { table, column, keyColumn, row }: DataKeyColumn,
  orgId: string,
  { database: { db }, dataKeys }: { readonly database: Database; readonly dataKeys: DataKeys },
): Promise<number> {
  const text = sql.ref(column);
  const { rows } = await sql<SealedRow>`
    select id, ${text} as sealed, ${keyIdOf(text)} as "dataKeyId" from ${sql.table(table)}
    where org_id = ${orgId} and ${keyIdOf(text)} in (
      select id from org_data_keys where org_id = ${orgId} and retired_at is not null)`.execute(db);
  let resealed = 0;
  for (const { id, sealed, dataKeyId } of rows) {
    const owner = { orgId, row: row(id) };
    const plain = await dataKeys.open(db, owner, { sealed, dataKeyId });
    const again = await dataKeys.seal(db, owner, plain);
    const named = keyColumn === undefined ? sql`` : sql`, ${sql.ref(keyColumn)} = ${again.dataKeyId}`;
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${text} = ${again.sealed}${named}
      where id = ${id} and ${text} = ${sealed}`.execute(db);
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
      ({ table, column }) =>
        sql`exists (select 1 from ${sql.table(table)} as u
          where u.org_id = k.org_id and ${keyIdOf(sql.ref(`u.${column}`))} = k.id)`,
    ),
    sql` or `,
  );
  await sql`
    delete from org_data_keys as k
    where k.org_id = ${orgId} and k.retired_at is not null and not (${isUsed})`.execute(db);
}
