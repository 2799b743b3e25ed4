import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;

/** When and by how much an organization's wallet is topped up automatically, in micros. */
export interface AutoTopUp {
  readonly below: bigint;
  readonly amount: bigint;
}

export interface PaymentMethod {
  readonly orgId: string;
  readonly customerId: string;
  /** Null if no chargeable method is kept. */
  readonly methodId: string | null;
  readonly autoTopUp: AutoTopUp | null;
  /** Why automatic top-ups are paused. */
  readonly pausedFor: string | null;
}

export async function findMethod(db: Db, orgId: string): Promise<PaymentMethod | undefined> {
  const row = await db
    .selectFrom("payment_methods")
    .selectAll()
    .where("org_id", "=", orgId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { customer_id: customerId, method_id: methodId, paused_for: pausedFor } = row;
  const [below, amount] = [row.top_up_below, row.top_up_amount];
  const autoTopUp =
    below === null || amount === null ? null : { below: BigInt(below), amount: BigInt(amount) };
  return { orgId, customerId, methodId, autoTopUp, pausedFor };
}

/** Keeps the first customer id. */
export async function keepCustomer(db: Db, orgId: string, customerId: string): Promise<void> {
  await db
    .insertInto("payment_methods")
    .values({ org_id: orgId, customer_id: customerId, method_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Sets the method to charge from now on, and ends a pause. */
export async function keepMethod(db: Db, orgId: string, methodId: string): Promise<void> {
  const changed = { method_id: methodId, paused_for: null };
  await db.updateTable("payment_methods").set(changed).where("org_id", "=", orgId).execute();
}

/** Ends a pause. Null turns automatic top-ups off. */
export async function setAutoTopUp(db: Db, orgId: string, auto: AutoTopUp | null): Promise<void> {
  const set = { top_up_below: auto?.below ?? null, top_up_amount: auto?.amount ?? null, paused_for: null };
  await db.updateTable("payment_methods").set(set).where("org_id", "=", orgId).execute();
}

export async function pauseAutoTopUp(db: Db, orgId: string, pausedFor: string): Promise<void> {
  const methods = db.updateTable("payment_methods").set({ paused_for: pausedFor });
  await methods.where("org_id", "=", orgId).execute();
}

/** Prepaid organizations whose balance is below their own threshold. */
export async function findLow(db: Db): Promise<string[]> {
  const { rows } = await sql<{ orgId: string }>`
    select payment_methods.org_id as "orgId" from payment_methods
    join billing_accounts on billing_accounts.org_id = payment_methods.org_id and plan = 'prepaid'
    left join ledger_balances on ledger_balances.org_id = payment_methods.org_id and account = 'wallet'
    where top_up_below is not null and method_id is not null and paused_for is null
      and coalesce(balance, 0) < top_up_below
    order by 1`.execute(db);
  return rows.map(({ orgId }) => orgId);
}
