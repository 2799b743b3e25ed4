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
    await sql`lock table usage_rows, usage_days, campaign_days, ledger_entries, ledger_balances
      in share row exclusive mode`.execute(trx);
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
    const campaigns = await rebuildCampaignDays(trx);
    return { balances: balances.rows.length, days: days.rows.length + campaigns };
  });
}

/** Returns how many sums were wrong. */
async function rebuildCampaignDays(trx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql`
    with true_sums as (
      select org_id, campaign_id, (at at time zone 'UTC')::date as day, sum(amount)::bigint as amount
      from (
        select rows.org_id, coalesce(nullif(rows.campaign_id, ''), calls.campaign_id) as campaign_id, rows.at, rows.amount
        from usage_rows rows left join billed_calls calls on calls.session_id = rows.session_id
        where rows.amount > 0
      ) paid where campaign_id <> '' group by 1, 2, 3
    ), gone as (
      delete from campaign_days where (org_id, campaign_id, day) not in (select org_id, campaign_id, day from true_sums)
      returning 1
    ), put as (
      insert into campaign_days (org_id, campaign_id, day, amount)
      select * from true_sums except select org_id, campaign_id, day, amount from campaign_days
      on conflict (org_id, campaign_id, day) do update set amount = excluded.amount
      returning 1
    ) select 1 from gone union all select 1 from put`.execute(trx);
  return rows.length;
}
