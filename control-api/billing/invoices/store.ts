import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;

export interface Invoice {
  readonly id: string;
  readonly orgId: string;
  /** `YYYY-MM-DD`, both inclusive. */
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly state: "open" | "overdue" | "paid";
  /** Null for invoices that predate numbering. */
  readonly number: string | null;
  readonly subtotal: bigint;
  /** Empty if there is no tax. */
  readonly taxName: string;
  readonly taxMillionths: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  /** Total of the invoice's credit notes. */
  readonly credited: bigint;
  readonly issuedAt: Date;
  readonly dueAt: Date;
  readonly overdueAt: Date | null;
  readonly paidAt: Date | null;
}

export interface InvoiceLine {
  readonly metric: string;
  readonly vendor: string;
  readonly quantity: bigint;
  readonly amount: bigint;
}

const MOST_INVOICES = 240;
const NUMBER_DIGITS = 6;

const selectInvoices = (db: Db) =>
  db
    .selectFrom("invoices")
    .select([
      "id",
      "org_id as orgId",
      sql<string>`period_start::text`.as("periodStart"),
      sql<string>`period_end::text`.as("periodEnd"),
      "state",
      "number",
      "subtotal",
      "tax_name as taxName",
      "tax_millionths as taxMillionths",
      "tax",
      "total",
      "credited",
      "issued_at as issuedAt",
      "due_at as dueAt",
      "overdue_at as overdueAt",
      "paid_at as paidAt",
    ]);

function toInvoice(row: Awaited<ReturnType<ReturnType<typeof selectInvoices>["execute"]>>[number]): Invoice {
  return {
    ...row,
    subtotal: BigInt(row.subtotal),
    taxMillionths: BigInt(row.taxMillionths),
    tax: BigInt(row.tax),
    total: BigInt(row.total),
    credited: BigInt(row.credited),
  };
}

/** The amount still due on an invoice, less its credit notes. */
export function outstandingOf({ total, credited }: Pick<Invoice, "total" | "credited">): bigint {
  return total - credited;
}

/** The next number of a series. The account is locked; other organizations wait until this transaction ends. */
export async function nextNumber(trx: Db, kind: "INV" | "CN", at: Date): Promise<string> {
  const series = `${kind}-${at.getUTCFullYear()}`;
  const { last_number } = await trx
    .insertInto("invoice_counters")
    .values({ series, last_number: 1n })
    .onConflict((conflict) =>
      conflict.column("series").doUpdateSet({ last_number: sql`invoice_counters.last_number + 1` }),
    )
    .returning("last_number")
    .executeTakeFirstOrThrow();
  return `${series}-${String(last_number).padStart(NUMBER_DIGITS, "0")}`;
}

/** Oldest first. */
export async function listUnpaid(db: Db, orgId: string): Promise<Invoice[]> {
  const unpaid = selectInvoices(db).where("org_id", "=", orgId).where("state", "<>", "paid");
  return (await unpaid.orderBy("period_start").execute()).map(toInvoice);
}

/** Newest first; the limit covers twenty years of invoices. */
export async function listInvoices(db: Db, orgId: string): Promise<Invoice[]> {
  const own = selectInvoices(db).where("org_id", "=", orgId);
  return (await own.orderBy("period_start", "desc").limit(MOST_INVOICES).execute()).map(toInvoice);
}

/** Finds an invoice of any organization. */
export async function findInvoice(db: Db, id: string): Promise<Invoice | undefined> {
  const row = await selectInvoices(db).where("id", "=", id).executeTakeFirst();
  return row && toInvoice(row);
}

export async function listLines(db: Db, invoiceId: string): Promise<InvoiceLine[]> {
  const rows = await db
    .selectFrom("invoice_lines")
    .select(["metric", "vendor", "quantity", "amount"])
    .where("invoice_id", "=", invoiceId)
    .orderBy("seq")
    .execute();
  return rows.map((row) => ({ ...row, quantity: BigInt(row.quantity), amount: BigInt(row.amount) }));
}

/** `lines` has at least one entry. */
export async function insertInvoice(trx: Db, invoice: Invoice, lines: readonly InvoiceLine[]): Promise<void> {
  await trx
    .insertInto("invoices")
    .values({
      id: invoice.id,
      org_id: invoice.orgId,
      period_start: invoice.periodStart,
      period_end: invoice.periodEnd,
      state: invoice.state,
      number: invoice.number,
      subtotal: invoice.subtotal,
      tax_name: invoice.taxName,
      tax_millionths: invoice.taxMillionths,
      tax: invoice.tax,
      total: invoice.total,
      issued_at: invoice.issuedAt,
      due_at: invoice.dueAt,
      overdue_at: invoice.overdueAt,
      paid_at: invoice.paidAt,
    })
    .execute();
  await trx
    .insertInto("invoice_lines")
    .values(lines.map((line, seq) => ({ invoice_id: invoice.id, seq, ...line })))
    .execute();
}

type Moved = { readonly state: "overdue"; readonly at: Date } | { readonly state: "paid"; readonly at: Date };

export async function moveInvoice(trx: Db, id: string, { state, at }: Moved): Promise<void> {
  const when = state === "paid" ? { paid_at: at } : { overdue_at: at };
  await trx
    .updateTable("invoices")
    .set({ state, ...when })
    .where("id", "=", id)
    .execute();
}

/** Adds a credit note's amount to the invoice. */
export async function addCredited(trx: Db, id: string, amount: bigint): Promise<void> {
  await trx
    .updateTable("invoices")
    .set({ credited: sql`credited + ${amount}` })
    .where("id", "=", id)
    .execute();
}

/** Reopens an invoice when its payment was reversed, or marks it paid again when the payment was restored. */
export async function reopenInvoice(
  trx: Db,
  id: string,
  { isPaid, at }: { readonly isPaid: boolean; readonly at: Date },
): Promise<void> {
  const moved = isPaid
    ? { state: "paid" as const, paid_at: at }
    : { state: "open" as const, paid_at: null, overdue_at: null };
  await trx.updateTable("invoices").set(moved).where("id", "=", id).execute();
}

/** Takes all uninvoiced usage up to that day, late events of earlier months included, and marks it as invoiced. */
export async function takeUninvoiced(trx: Db, orgId: string, until: string): Promise<InvoiceLine[]> {
  const { rows } = await sql<{ metric: string; vendor: string; quantity: string; amount: string }>`
    with taken as (
      select org_id, day, agent_id, key_id, channel, vendor, metric,
        quantity - invoiced_quantity as quantity, amount - invoiced as amount
      from usage_days
      where org_id = ${orgId} and day <= ${until}::date and amount <> invoiced
      for update
    ), marked as (
      update usage_days set invoiced = usage_days.amount, invoiced_quantity = usage_days.quantity
      from taken
      where usage_days.org_id = taken.org_id and usage_days.day = taken.day and usage_days.agent_id = taken.agent_id
        and usage_days.key_id = taken.key_id and usage_days.channel = taken.channel
        and usage_days.vendor = taken.vendor and usage_days.metric = taken.metric
    )
    select metric, vendor, sum(quantity)::text as quantity, sum(amount)::text as amount
    from taken group by 1, 2 order by 1, 2`.execute(trx);
  return rows.map((row) => ({ ...row, quantity: BigInt(row.quantity), amount: BigInt(row.amount) }));
}
