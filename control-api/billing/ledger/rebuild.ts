import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

/** How many sums were wrong and were corrected. */
export interface Rebuilt {
  readonly balances: number;
  readonly days: number;
}

/** Recomputes all balances from the entries, and the daily sums from the usage rows. Blocks other writes meanwhile. */
export async function rebuildSums(db: Kysely<Tables>): Promise<Rebuilt> {
  return db.transaction().execute(async (trx) => {
    await sql`lock table usage_rows, usage_days, ledger_entries, ledger_balances in share row exclusive mode`.execute(
      trx,
    );
    const balances = await sql`
      with true_sums as (
        select org_id, account, sum(amount)::bigint as balance from ledger_entries group by 1, 2
      ), gone as (
        delete from ledger_balances where (org_id, account) not in (select org_id, account from true_sums)
        returning 1
      ), put as (
        insert into ledger_balances (org_id, account, balance)
        select org_id, account, balance from true_sums
        except select org_id, account, balance from ledger_balances
        on conflict (org_id, account) do update set balance = excluded.balance
        returning 1
      ) select 1 from gone union all select 1 from put`.execute(trx);
    const days = await sql`
      with true_sums as (
        select org_id, (at at time zone 'UTC')::date as day, agent_id, key_id, channel, vendor, metric,
          sum(quantity)::bigint as quantity, sum(amount)::bigint as amount
        from usage_rows group by 1, 2, 3, 4, 5, 6, 7
      ), gone as (
        delete from usage_days where (org_id, day, agent_id, key_id, channel, vendor, metric) not in
          (select org_id, day, agent_id, key_id, channel, vendor, metric from true_sums)
        returning 1
      ), put as (
        insert into usage_days (org_id, day, agent_id, key_id, channel, vendor, metric, quantity, amount)
        select * from true_sums except select org_id, day, agent_id, key_id, channel, vendor, metric, quantity, amount
          from usage_days
        on conflict (org_id, day, agent_id, key_id, channel, vendor, metric)
          do update set quantity = excluded.quantity, amount = excluded.amount
        returning 1
      ) select 1 from gone union all select 1 from put`.execute(trx);
    return { balances: balances.rows.length, days: days.rows.length };
  });
}
