import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;
type PaymentsTable = Tables["payments"];

export interface Payment {
  readonly id: string;
  readonly orgId: string;
  readonly provider: "stripe" | "manual";
  readonly purpose: "top_up" | "auto_top_up" | "invoice";
  readonly invoiceId: string | null;
  readonly amount: bigint;
  readonly state: "pending" | "succeeded" | "failed";
  readonly keepsMethod: boolean;
  readonly intentId: string | null;
  readonly failure: string | null;
  readonly createdAt: Date;
}

const MOST_SHOWN = 100;

function toPayment(row: Selectable<PaymentsTable>): Payment {
  return {
    id: row.id,
    orgId: row.org_id,
    provider: row.provider,
    purpose: row.purpose,
    invoiceId: row.invoice_id,
    amount: BigInt(row.amount),
    state: row.state,
    keepsMethod: row.keeps_method,
    intentId: row.intent_id,
    failure: row.failure,
    createdAt: row.created_at,
  };
}

export type NewPayment = Omit<Payment, "state" | "intentId" | "failure">;

/** Returns false if another automatic top-up is under way. */
export async function insertPayment(db: Db, payment: NewPayment): Promise<boolean> {
  const { id, orgId, provider, purpose, invoiceId, amount, keepsMethod, createdAt } = payment;
  const inserted = await db
    .insertInto("payments")
    .values({
      ...{ id, provider, purpose, amount },
      org_id: orgId,
      invoice_id: invoiceId,
      state: "pending",
      keeps_method: keepsMethod,
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findPayment(
  db: Db,
  by: { readonly id: string } | { readonly intentId: string },
): Promise<Payment | undefined> {
  const payments = db.selectFrom("payments").selectAll();
  const found = "id" in by ? payments.where("id", "=", by.id) : payments.where("intent_id", "=", by.intentId);
  const row = await found.executeTakeFirst();
  return row && toPayment(row);
}

/** Newest first. */
export async function listPayments(db: Db, orgId: string): Promise<Payment[]> {
  const payments = db.selectFrom("payments").selectAll().where("org_id", "=", orgId);
  const rows = await payments.orderBy("created_at", "desc").orderBy("id", "desc").limit(MOST_SHOWN).execute();
  return rows.map(toPayment);
}

/** With the names of those who announced them. */
export async function listPendingTransfers(db: Db): Promise<(Payment & { readonly orgName: string })[]> {
  const rows = await db
    .selectFrom("payments")
    .innerJoin("organizations", "organizations.id", "payments.org_id")
    .selectAll("payments")
    .select("organizations.name as orgName")
    .where("provider", "=", "manual")
    .where("state", "=", "pending")
    .orderBy("payments.created_at")
    .execute();
  return rows.map((row) => ({ ...toPayment(row), orgName: row.orgName }));
}

export async function countBegunSince(db: Db, orgId: string, since: Date): Promise<number> {
  const { begun } = await db
    .selectFrom("payments")
    .select(({ fn }) => fn.countAll<string>().as("begun"))
    .where("org_id", "=", orgId)
    .where("created_at", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(begun);
}

export async function movePayment(
  trx: Db,
  id: string,
  moved:
    | {
        readonly state: "succeeded";
        readonly amount: bigint;
        readonly intentId: string | null;
        readonly at: Date;
      }
    | { readonly state: "failed"; readonly failure: string; readonly at: Date },
): Promise<void> {
  const { state, at } = moved;
  const set =
    moved.state === "succeeded"
      ? { amount: moved.amount, intent_id: moved.intentId, failure: null }
      : { failure: moved.failure };
  await trx
    .updateTable("payments")
    .set({ state, settled_at: at, ...set })
    .where("id", "=", id)
    .execute();
}

/** The provider may report a payment before naming its intent. */
export async function nameIntent(trx: Db, id: string, intentId: string): Promise<void> {
  const payments = trx.updateTable("payments").set({ intent_id: intentId });
  await payments.where("id", "=", id).where("intent_id", "is", null).execute();
}
