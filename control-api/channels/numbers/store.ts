import type {
  CarrierName,
  CreateNumber,
  PhoneNumber,
  UpdateNumber,
} from "@parley/shared/contracts/telephony.ts";
import type { Selectable } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export async function insertNumber(
  { db }: Database,
  number: CreateNumber & { readonly id: string; readonly orgId: string; readonly at: Date },
): Promise<PhoneNumber | undefined> {
  const row = await db
    .insertInto("phone_numbers")
    .values({
      id: number.id,
      org_id: number.orgId,
      number: number.number,
      carrier: number.carrier,
      label: number.label,
      agent_id: number.agentId,
      user_id: number.userId,
      created_at: number.at,
    })
    // The number is taken, by this organization or, on a real carrier, by any.
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toNumber(row);
}

export async function listNumbers({ db }: Database, orgId: string): Promise<PhoneNumber[]> {
  const rows = await db
    .selectFrom("phone_numbers")
    .selectAll()
    .where("org_id", "=", orgId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toNumber);
}

/** Finds one of the organization's numbers by its id or the number itself. */
export async function findNumber(
  { db }: Database,
  orgId: string,
  which: { readonly id: string } | { readonly number: string },
): Promise<PhoneNumber | undefined> {
  const query = db.selectFrom("phone_numbers").selectAll().where("org_id", "=", orgId);
  const row = await ("id" in which
    ? query.where("id", "=", which.id)
    : query.where("number", "=", which.number)
  ).executeTakeFirst();
  return row && toNumber(row);
}

export async function updateNumber(
  { db }: Database,
  { orgId, id }: { orgId: string; id: string },
  change: UpdateNumber,
): Promise<PhoneNumber | undefined> {
  const { label, agentId, userId } = change;
  const row = await db
    .updateTable("phone_numbers")
    .set((eb) => ({
      label: label ?? eb.ref("label"),
      agent_id: agentId === undefined ? eb.ref("agent_id") : agentId,
      user_id: userId === undefined ? eb.ref("user_id") : userId,
    }))
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toNumber(row);
}

/** Returns true if the number existed. */
export async function deleteNumber(
  { db }: Pick<Database, "db">,
  orgId: string,
  id: string,
): Promise<boolean> {
  const deleted = await db
    .deleteFrom("phone_numbers")
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

function toNumber(row: Selectable<Tables["phone_numbers"]>): PhoneNumber {
  return {
    id: row.id,
    number: row.number,
    label: row.label,
    carrier: row.carrier as CarrierName,
    agentId: row.agent_id,
    userId: row.user_id,
    createdAt: row.created_at.toISOString(),
  };
}
