import { newId } from "@parley/shared/ids.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { LedgerAccount } from "./accounts.ts";

type Trx = Kysely<Tables>;

export interface Posting {
  readonly orgId: string;
  readonly kind: "charge" | "hold" | "release" | "payment" | "credit" | "invoice" | "refund" | "rent";
  /** What the transaction follows from; posted once per organization and source. */
  readonly source: string;
  readonly at: Date;
  /** In micros, summing to zero. Entries of zero are left out. */
  readonly entries: Readonly<Partial<Record<LedgerAccount, bigint>>>;
}

/**
 * Writes a ledger transaction and updates the balances. Returns false and writes nothing if its source was already
 * posted or it moves nothing. On commit of `trx`, the database refuses entries whose sum is not zero.
 */
export async function post(trx: Trx, { orgId, kind, source, at, entries }: Posting): Promise<boolean> {
  const moved = Object.entries(entries)
    .filter(([, amount]) => amount !== 0n)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (moved.length === 0) return false;
  const id = newId("ltx");
  const inserted = await trx
    .insertInto("ledger_transactions")
    .values({ id, org_id: orgId, kind, source, at })
    .onConflict((conflict) => conflict.columns(["org_id", "source"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return false;
  await trx
    .insertInto("ledger_entries")
    .values(moved.map(([account, amount]) => ({ transaction_id: id, account, org_id: orgId, amount })))
    .execute();
  await trx
    .insertInto("ledger_balances")
    .values(moved.map(([account, balance]) => ({ org_id: orgId, account, balance })))
    .onConflict((conflict) =>
      conflict.columns(["org_id", "account"]).doUpdateSet({
        balance: sql`ledger_balances.balance + excluded.balance`,
      }),
    )
    .execute();
  return true;
}

export type Balances = Readonly<Record<LedgerAccount, bigint>>;

/** Balances of one organization; zero where nothing was posted. */
export async function readBalances(db: Trx, orgId: string): Promise<Balances> {
  const rows = await db
    .selectFrom("ledger_balances")
    .select(["account", "balance"])
    .where("org_id", "=", orgId)
    .execute();
  const found = Object.fromEntries(rows.map(({ account, balance }) => [account, BigInt(balance)]));
  return { ...NOTHING, ...found };
}

const NOTHING: Balances = {
  wallet: 0n,
  held: 0n,
  unbilled: 0n,
  receivable: 0n,
  revenue: 0n,
  tax: 0n,
  cash: 0n,
  credits: 0n,
  rounding: 0n,
};
