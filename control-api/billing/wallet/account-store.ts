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
  await trx
    .insertInto("billing_accounts")
    .values({ org_id: orgId, suspended_at: null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return selectAccount(trx, orgId).forUpdate().executeTakeFirstOrThrow();
}

/** The account, with a new account's values if there is none. */
export async function readAccount(db: Kysely<Tables>, orgId: string): Promise<BillingAccount> {
  const row = await selectAccount(db, orgId).executeTakeFirst();
  return row ?? { orgId, plan: "prepaid", suspendedAt: null, invoicedTo: null };
}

const selectAccount = (db: Kysely<Tables>, orgId: string) =>
  db
    .selectFrom("billing_accounts")
    .select([
      "org_id as orgId",
      "plan",
      "suspended_at as suspendedAt",
      sql<string | null>`invoiced_to::text`.as("invoicedTo"),
    ])
    .where("org_id", "=", orgId);
