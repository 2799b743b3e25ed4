import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;

export interface CreditNote {
  readonly id: string;
  readonly number: string;
  readonly orgId: string;
  readonly invoiceId: string;
  readonly source: string;
  readonly net: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  readonly reason: string;
  readonly issuedAt: Date;
}

/** Oldest first. */
export async function listCreditNotes(db: Db, invoiceId: string): Promise<CreditNote[]> {
  const rows = await db
    .selectFrom("credit_notes")
    .selectAll()
    .where("invoice_id", "=", invoiceId)
    .orderBy("number")
    .execute();
  return rows.map(({ org_id, invoice_id, issued_at, net, tax, total, ...row }) => ({
    ...row,
    orgId: org_id,
    invoiceId: invoice_id,
    issuedAt: issued_at,
    net: BigInt(net),
    tax: BigInt(tax),
    total: BigInt(total),
  }));
}

export async function insertCreditNote(trx: Db, note: CreditNote): Promise<void> {
  const { orgId, invoiceId, issuedAt, ...rest } = note;
  await trx
    .insertInto("credit_notes")
    .values({ ...rest, org_id: orgId, invoice_id: invoiceId, issued_at: issuedAt })
    .execute();
}
