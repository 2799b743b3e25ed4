import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

interface AccountShown {
  readonly orgId: string;
  readonly name: string;
  readonly plan: string;
  readonly state: string;
  readonly wallet: bigint;
  /** Invoiced or not. */
  readonly owed: bigint;
}

/** How every organization stands, for who operates the server. */
export async function listAccounts(db: Kysely<Tables>): Promise<AccountShown[]> {
  const { rows } = await sql<Omit<AccountShown, "wallet" | "owed"> & { wallet: string; owed: string }>`
    select organizations.id as "orgId", organizations.name, coalesce(plan, 'prepaid') as plan,
      coalesce(state, 'active') as state,
      coalesce(sum(balance) filter (where account = 'wallet'), 0)::text as wallet,
      coalesce(-sum(balance) filter (where account in ('unbilled', 'receivable')), 0)::text as owed
    from organizations
    left join billing_accounts on billing_accounts.org_id = organizations.id
    left join ledger_balances on ledger_balances.org_id = organizations.id
    group by 1, 2, 3, 4 order by 1`.execute(db);
  return rows.map((row) => ({ ...row, wallet: BigInt(row.wallet), owed: BigInt(row.owed) }));
}
