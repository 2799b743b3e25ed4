import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { periodStart } from "../limits/periods.ts";
import { outlookOf } from "../numbers/outlook.ts";
import { listNumbersWithPayers } from "../numbers/store.ts";
import { readAllPrices } from "../prices/store.ts";
import { nextNumberStep } from "./number-states.ts";

/**
 * Organizations in which something may be due, ordered by id. A few queries cover all of them, since most have nothing
 * due most of the time. The state tables say what to do.
 */
export async function findDue(db: Kysely<Tables>, now: Date): Promise<string[]> {
  const { rows } = await sql<{ orgId: string }>`
    select org_id as "orgId" from billing_accounts
      where (plan = 'postpaid' and invoiced_to < ${periodStart("month", now)}::date) or state = 'suspended'
    union select org_id from invoices where state <> 'paid'`.execute(db);
  const orgIds = new Set([...rows.map(({ orgId }) => orgId), ...(await findDueNumbers(db, now))]);
  return [...orgIds].toSorted();
}

async function findDueNumbers(db: Kysely<Tables>, now: Date): Promise<string[]> {
  const numbers = await listNumbersWithPayers(db);
  const byOrg = Map.groupBy(await readAllPrices(db), ({ orgId }) => orgId);
  const general = byOrg.get("") ?? [];
  return numbers.flatMap(({ number, ...payer }) => {
    const prices = [...general, ...(byOrg.get(number.orgId) ?? [])];
    const outlook = outlookOf(number, { ...payer, prices, now });
    return outlook && nextNumberStep(number.state, outlook.facts) ? [number.orgId] : [];
  });
}
