import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

export interface BillingAccount {
  readonly orgId: string;
  readonly plan: "prepaid" | "postpaid";
  readonly suspendedAt: Date | null;
  /** Postpaid only: the first day (`YYYY-MM-DD`) without an invoice. */
  readonly invoicedTo: string | null;
}

/** Locks the account, creating it if missing; what it owes cannot change elsewhere until `trx` ends. */
export async function lockAccount(trx: Kysely<Tables>, orgId: string, now: Date): Promise<BillingAccount> {
  const account = (await lockAccounts(trx, [orgId], now)).get(orgId);
  if (!account) throw new Error(`the account of ${orgId} that was locked is not there`);
  return account;
}

/**
 * `lockAccount` for several, in the order of their ids. Everything that writes about an account locks it before the sums
 * of its days: two that did so in different orders would wait for each other.
 */
export async function lockAccounts(
  trx: Kysely<Tables>,
  orgIds: readonly string[],
  now: Date,
): Promise<Map<string, BillingAccount>> {
  const ids = [...new Set(orgIds)].toSorted();
  if (ids.length === 0) return new Map();
  await trx
    .insertInto("billing_accounts")
    .values(ids.map((org_id) => ({ org_id, suspended_at: null, created_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const rows = await selectAccounts(trx).where("org_id", "in", ids).orderBy("org_id").forUpdate().execute();
  return new Map(rows.map((row) => [row.orgId, row]));
}

/** The account, with a new account's values if there is none. */
export async function readAccount(db: Kysely<Tables>, orgId: string): Promise<BillingAccount> {
  const row = await selectAccounts(db).where("org_id", "=", orgId).executeTakeFirst();
  return row ?? { orgId, plan: "prepaid", suspendedAt: null, invoicedTo: null };
}

const selectAccounts = (db: Kysely<Tables>) =>
  db
    .selectFrom("billing_accounts")
    .select([
      "org_id as orgId",
      "plan",
      "suspended_at as suspendedAt",
      sql<string | null>`invoiced_to::text`.as("invoicedTo"),
    ]);
