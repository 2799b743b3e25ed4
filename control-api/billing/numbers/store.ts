import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { NumberState } from "../lifecycle/number-states.ts";

type Db = Kysely<Tables>;

export interface BilledNumber {
  readonly numberId: string;
  readonly orgId: string;
  readonly e164: string;
  readonly carrier: string;
  readonly state: NumberState;
  readonly addedAt: Date;
  readonly renewals: number;
  readonly overdueAt: Date | null;
}

/** Syncs billing with the organizations' numbers: adds new ones, removes those given up. */
export async function followNumbers(db: Db): Promise<void> {
  await sql`
    insert into billing_numbers (number_id, org_id, e164, carrier, state, added_at)
    select id, org_id, number, carrier, 'active', created_at from phone_numbers
    on conflict (number_id) do nothing`.execute(db);
  await sql`
    delete from billing_numbers where state <> 'released'
      and not exists (select 1 from phone_numbers where phone_numbers.id = billing_numbers.number_id)`.execute(
    db,
  );
}

/** Numbers not given up, oldest first. */
export async function listBilledNumbers(db: Db, orgId: string): Promise<BilledNumber[]> {
  return db
    .selectFrom("billing_numbers")
    .select([
      "number_id as numberId",
      "org_id as orgId",
      "e164",
      "carrier",
      "state",
      "added_at as addedAt",
      "renewals",
      "overdue_at as overdueAt",
    ])
    .where("org_id", "=", orgId)
    .where("state", "<>", "released")
    .orderBy("added_at")
    .orderBy("number_id")
    .execute();
}

export interface NumberWithPayer {
  readonly number: BilledNumber;
  readonly plan: "prepaid" | "postpaid";
  readonly suspendedAt: Date | null;
  readonly wallet: bigint;
}

/** All organizations' numbers that are not given up. */
export async function listNumbersWithPayers(db: Db): Promise<NumberWithPayer[]> {
  const rows = await db
    .selectFrom("billing_numbers")
    .leftJoin("billing_accounts", "billing_accounts.org_id", "billing_numbers.org_id")
    .leftJoin("ledger_balances", (join) =>
      join
        .onRef("ledger_balances.org_id", "=", "billing_numbers.org_id")
        .on("ledger_balances.account", "=", "wallet"),
    )
    .select([
      "number_id as numberId",
      "billing_numbers.org_id as orgId",
      "e164",
      "carrier",
      "billing_numbers.state",
      "added_at as addedAt",
      "renewals",
      "overdue_at as overdueAt",
      "plan",
      "suspended_at as suspendedAt",
      "balance",
    ])
    .where("billing_numbers.state", "<>", "released")
    .execute();
  return rows.map(({ plan, suspendedAt, balance, ...number }) => ({
    number,
    plan: plan ?? "prepaid",
    suspendedAt,
    wallet: BigInt(balance ?? 0),
  }));
}

export async function moveNumber(
  trx: Db,
  { numberId, state, renewals, overdueAt }: BilledNumber,
  now: Date,
): Promise<void> {
  await trx
    .updateTable("billing_numbers")
    .set({ state, renewals, overdue_at: overdueAt, released_at: state === "released" ? now : null })
    .where("number_id", "=", numberId)
    .execute();
}
