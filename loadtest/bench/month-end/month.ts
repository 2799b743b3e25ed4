import type { Database } from "@parley/control-api/database/open.ts";
import { sql } from "kysely";

/** Cost of a call's seconds, recognition and synthesized characters, in micros. */
const CALL_MICROS = { call_seconds: 10_003, stt_seconds: 4_001, tts_characters: 7_213 } as const;
const RENT_MICROS = 2_000_000;

/** Days of the finished month, in UTC. */
export interface Month {
  readonly start: string;
  readonly end: string;
}

export function monthBefore(now: Date): Month {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: day(Date.UTC(year, month - 1, 1)), end: day(Date.UTC(year, month, 0)) };
}

export interface MonthToWrite {
  /** The month's first day. */
  readonly start: string;
  readonly orgs: number;
  readonly calls: number;
  readonly userId: string;
}

type Db = Database["db"];

/**
 * Writes a month of postpaid organizations, each with an endpoint and a number that renews at month's end:
 * usage rows, daily sums, and a ledger transaction per call. Uses a few bulk statements: row by row, the
 * product would take an hour.
 */
export async function writeMonth({ db }: Pick<Database, "db">, month: MonthToWrite): Promise<void> {
  await writeOrganizations(db, month);
  await writeUsage(db, month);
  await writeLedger(db, month);
  await sql`analyze`.execute(db);
}

async function writeOrganizations(db: Db, { start, orgs, userId }: MonthToWrite): Promise<void> {
  const all = sql`generate_series(0, ${orgs - 1}) nr`;
  const at = sql`${start}::timestamptz`;
  await sql`insert into organizations (id, name, created_at)
    select 'org_bench_' || nr, 'Bench ' || nr, ${at} from ${all}`.execute(db);
  await sql`insert into billing_accounts (org_id, plan, invoiced_to, created_at)
    select 'org_bench_' || nr, 'postpaid', ${start}::date, ${at} from ${all}`.execute(db);
  await sql`insert into phone_numbers (id, org_id, number, carrier, label, user_id, created_at)
    select 'num_bench_' || nr, 'org_bench_' || nr, '+1555' || lpad(nr::text, 7, '0'), 'telnyx', '', ${userId}, ${at}
    from ${all}`.execute(db);
  await sql`insert into webhook_endpoints (id, org_id, url, events, include_recording, include_transcript, secret_sealed,
      created_by, created_at)
    select 'whk_bench_' || nr, 'org_bench_' || nr, 'https://example.com/',
      '["billing.number_renewed", "billing.invoice_issued"]', false, false, 'x', ${userId}, ${at} from ${all}`.execute(
    db,
  );
  await sql`insert into prices (id, org_id, metric, vendor, micros, per, from_at, created_at)
    values ('prc_bench_rent', '', 'number_months', '', ${RENT_MICROS}, 1, ${at}, ${at})`.execute(db);
}

async function writeUsage(db: Db, { start, orgs, calls }: MonthToWrite): Promise<void> {
  for (const [metric, micros] of Object.entries(CALL_MICROS))
    await sql`insert into usage_rows (source, metric, org_id, session_id, agent_id, key_id, channel, vendor, quantity,
        amount, at)
      select 'call ses_bench_' || nr, ${metric}, ${orgOf(orgs)}, 'ses_bench_' || nr, 'agt_bench_' || (nr % 3), '',
        'telephony', 'telnyx', 60, ${micros}::bigint, ${timeIn(start)} from generate_series(1, ${calls}) nr`.execute(
      db,
    );
  await sql`insert into usage_days (org_id, day, agent_id, key_id, channel, vendor, metric, quantity, amount)
    select org_id, (at at time zone 'UTC')::date, agent_id, key_id, channel, vendor, metric, sum(quantity), sum(amount)
    from usage_rows where session_id like 'ses_bench_%' group by 1, 2, 3, 4, 5, 6, 7`.execute(db);
}

const orgOf = (orgs: number) => sql`'org_bench_' || (nr % ${sql.lit(orgs)})`;
const timeIn = (start: string) => sql`${start}::timestamptz + interval '1 minute' * (nr % 40000)`;

async function writeLedger(db: Db, { start, orgs, calls }: MonthToWrite): Promise<void> {
  const total = Object.values(CALL_MICROS).reduce((sum, micros) => sum + micros, 0);
  const tables = ["ledger_transactions", "ledger_entries"];
  // Row triggers check the balance, and these rows are balanced.
  for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  await sql`insert into ledger_transactions (id, org_id, kind, source, at)
    select 'ltx_bench_' || nr, ${orgOf(orgs)}, 'charge', 'usage call ses_bench_' || nr, ${timeIn(start)}
    from generate_series(1, ${calls}) nr`.execute(db);
  for (const [account, amount] of [
    ["unbilled", -total],
    ["revenue", total],
  ] as const) {
    await sql`insert into ledger_entries (transaction_id, account, org_id, amount)
      select 'ltx_bench_' || nr, ${account}, ${orgOf(orgs)}, ${amount}::bigint from generate_series(1, ${calls}) nr`.execute(
      db,
    );
    await sql`insert into ledger_balances (org_id, account, balance)
      select 'org_bench_' || nr, ${account}, ${(amount * calls) / orgs}::bigint from generate_series(0, ${orgs - 1}) nr`.execute(
      db,
    );
  }
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
}

/** Throws when invoices differ from usage, a number was not renewed, or a balance is off. */
export async function assertClosed({ db }: Pick<Database, "db">, month: Month): Promise<void> {
  const { rows } = await sql<{ what: string; is: string; wanted: string }>`
    select 'invoiced' as what, (select sum(subtotal) from invoices)::text as is,
      (select sum(amount) from usage_rows where at < ${month.end}::date + 1)::text as wanted
    union all select 'lines', (select sum(amount) from invoice_lines)::text, (select sum(subtotal) from invoices)::text
    union all select 'renewed', (select count(*) from usage_rows where metric = 'number_months')::text,
      (select count(*) from phone_numbers where id like 'num_bench_%')::text
    union all select 'told', (select count(*) from webhook_deliveries where event = 'billing.number_renewed')::text,
      (select count(*) from phone_numbers where id like 'num_bench_%')::text
    union all select 'told of invoices', (select count(*) from webhook_deliveries where event = 'billing.invoice_issued')::text,
      (select count(*) from invoices)::text
    union all select 'balances', (select sum(balance) from ledger_balances)::text, '0'
    union all select 'not invoiced', (select -sum(balance) from ledger_balances where account = 'unbilled')::text,
      (select sum(amount) from usage_rows where metric = 'number_months')::text`.execute(db);
  const off = rows.filter(({ is, wanted }) => is !== wanted);
  if (off.length > 0)
    throw new Error(off.map(({ what, is, wanted }) => `${what}: ${is} instead of ${wanted}`).join("; "));
}
