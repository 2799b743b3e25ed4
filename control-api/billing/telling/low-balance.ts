import type { Clock } from "@parley/shared/clock.ts";
import { sql } from "kysely";
import type { Database } from "../../database/open.ts";
import { every, type JobHandler } from "../../jobs/job-kind.ts";
import { addJob } from "../../jobs/queue.ts";
import { addDays, dayOf } from "../lifecycle/days.ts";
import { mailOfLowBalance } from "./mails.ts";
import { TELL_OWNERS } from "./tell-owners.ts";

const EVERY_MS = 3_600_000;
/** `lookBackDays`: whose spending says how long a balance lasts. One that lasts less than `enoughDays` is low. */
const TERMS_OF_LOW = { lookBackDays: 7, enoughDays: 3 };

export interface LowBalanceDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Has owners mailed before a prepaid balance is used up, once until it is no longer low. */
export function tellsOfLowBalances(deps: LowBalanceDeps): JobHandler {
  return every(EVERY_MS, "tell_of_low_balances", () => tellOfLow(deps));
}

export async function tellOfLow({ database: { db }, clock }: LowBalanceDeps): Promise<void> {
  const now = new Date(clock.wallMs());
  for (const { orgId, wallet, isLow } of await findChanged({ db }, now))
    await db.transaction().execute(async (trx) => {
      const changed = await trx
        .updateTable("billing_accounts")
        .set({ low_told_at: isLow ? now : null })
        .where("org_id", "=", orgId)
        .where("low_told_at", isLow ? "is" : "is not", null)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n || !isLow) return;
      await addJob(trx, TELL_OWNERS, { payload: mailOfLowBalance(BigInt(wallet), TERMS_OF_LOW), orgId }, now);
    });
}

interface Changed {
  readonly orgId: string;
  /** In micros. */
  readonly wallet: string;
  readonly isLow: boolean;
}

/** Prepaid organizations whose balance became low, or enough again. Automatic top-ups see to a balance themselves. */
async function findChanged({ db }: Pick<Database, "db">, now: Date): Promise<Changed[]> {
  const { lookBackDays, enoughDays } = TERMS_OF_LOW;
  const since = dayOf(addDays(now, -lookBackDays));
  const { rows } = await sql<Changed>`
    select org_id as "orgId", wallet::text as wallet, is_low as "isLow" from (
      select accounts.org_id, accounts.low_told_at, wallet,
        wallet * ${lookBackDays}::int < spent * ${enoughDays}::int as is_low
      from billing_accounts accounts
      cross join lateral (select coalesce(sum(balance), 0) as wallet from ledger_balances
        where org_id = accounts.org_id and account = 'wallet') as balances
      cross join lateral (select coalesce(sum(amount), 0) as spent from usage_days
        where org_id = accounts.org_id and day >= ${since}::date) as days
      where plan = 'prepaid' and not exists (select from payment_methods methods
        where methods.org_id = accounts.org_id and top_up_below is not null and method_id is not null
          and paused_for is null)
    ) as standing
    where is_low = (low_told_at is null)
    order by org_id`.execute(db);
  return rows;
}
