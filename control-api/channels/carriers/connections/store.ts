import type { AccountCarrierName, CarrierConnection } from "@parley/shared/contracts/carriers.ts";
import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../../database/open.ts";
import type { Tables } from "../../../database/tables.ts";

export type StoredConnection = Selectable<Tables["carrier_connections"]>;

interface ConnectionRow {
  readonly id: string;
  readonly orgId: string;
  readonly carrier: AccountCarrierName;
  readonly account: string;
  readonly credentialsSealed: string;
  readonly createdBy: string;
  readonly at: Date;
}

/** Undefined when the organization has an account at this carrier already. */
export async function insertConnection(
  trx: Kysely<Tables>,
  connection: ConnectionRow,
): Promise<CarrierConnection | undefined> {
  const row = await trx
    .insertInto("carrier_connections")
    .values({
      id: connection.id,
      org_id: connection.orgId,
      carrier: connection.carrier,
      account: connection.account,
      credentials_sealed: connection.credentialsSealed,
      version: 1,
      created_by: connection.createdBy,
      created_at: connection.at,
      updated_at: connection.at,
    })
    .onConflict((conflict) => conflict.columns(["org_id", "carrier"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toConnection(row);
}

export async function updateCredentials(
  trx: Kysely<Tables>,
  { orgId, id, account, credentialsSealed, at }: Omit<ConnectionRow, "carrier" | "createdBy">,
): Promise<CarrierConnection | undefined> {
  const row = await trx
    .updateTable("carrier_connections")
    .set(({ eb }) => ({
      account,
      credentials_sealed: credentialsSealed,
      version: eb("version", "+", 1),
      updated_at: at,
    }))
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toConnection(row);
}

export async function deleteConnection(trx: Kysely<Tables>, orgId: string, id: string): Promise<boolean> {
  const deleted = await trx
    .deleteFrom("carrier_connections")
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

export async function listConnections({ db }: Database, orgId: string): Promise<CarrierConnection[]> {
  const rows = await db
    .selectFrom("carrier_connections")
    .selectAll()
    .where("org_id", "=", orgId)
    .orderBy("id")
    .execute();
  return rows.map(toConnection);
}

/** By its id, or by the organization and the carrier. */
export function findConnection(
  { db }: Database,
  by: { readonly id: string } | { readonly orgId: string; readonly carrier: AccountCarrierName },
): Promise<StoredConnection | undefined> {
  const rows = db.selectFrom("carrier_connections").selectAll();
  const found =
    "id" in by
      ? rows.where("id", "=", by.id)
      : rows.where("org_id", "=", by.orgId).where("carrier", "=", by.carrier);
  return found.executeTakeFirst();
}

function toConnection(row: StoredConnection): CarrierConnection {
  return {
    id: row.id,
    carrier: row.carrier,
    account: row.account,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
