import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { PaymentNews } from "./provider.ts";

type Trx = Kysely<Tables>;
export type Reversal = Extract<PaymentNews, { kind: "reversed" | "restored" }>;

/** Until the end of `trx`, nobody else books what is reported of this intent. */
export async function lockIntent(trx: Trx, intentId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payment intent ${intentId}`}, 0))`.execute(trx);
}

/** Keeps a reversal that was reported before the payment that it takes back: providers report in any order. */
export async function keepEarly(
  trx: Trx,
  { source, kind, intentId, amount }: Reversal,
  at: Date,
): Promise<void> {
  await trx
    .insertInto("early_reversals")
    .values({ source, kind, intent_id: intentId, amount, received_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The reversals kept of an intent, which is locked; what was taken before what was given back. */
export async function takeEarly(trx: Trx, intentId: string): Promise<Reversal[]> {
  const rows = await trx
    .deleteFrom("early_reversals")
    .where("intent_id", "=", intentId)
    .returning(["source", "kind", "amount"])
    .execute();
  const taken = rows.map(({ amount, ...row }) => ({ ...row, intentId, amount: BigInt(amount) }));
  return taken.toSorted((one, other) => Number(one.kind === "restored") - Number(other.kind === "restored"));
}

/** Other sellers on the provider's account have refunds, too, and their payments never come. */
export async function forgetEarly(db: Trx, before: Date): Promise<void> {
  await db.deleteFrom("early_reversals").where("received_at", "<", before).execute();
}
