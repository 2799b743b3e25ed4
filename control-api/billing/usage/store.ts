import type { UsageBy, UsageMetric } from "@parley/shared/contracts/billing.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

export interface UsageSpan {
  /** `YYYY-MM-DD`, both inclusive. */
  readonly from: string;
  readonly to: string;
}

interface UsageLine {
  readonly key: string;
  readonly name: string | null;
  readonly metric: UsageMetric;
  readonly quantity: string;
  readonly amount: string;
}

const MOST_LINES = 5_000;
const COLUMNS = {
  agent: sql.ref("usage_days.agent_id"),
  channel: sql.ref("usage_days.channel"),
  vendor: sql.ref("usage_days.vendor"),
  day: sql`usage_days.day::text`,
} as const;

/** Sums an organization's days. */
export async function readUsageLines(
  db: Kysely<Tables>,
  orgId: string,
  { from, to, by }: UsageSpan & { readonly by: UsageBy },
): Promise<UsageLine[]> {
  const { rows } = await sql<UsageLine>`
    select lines.*, coalesce(agents.name, apps.name) as name from (
      select ${COLUMNS[by]} as key, metric, sum(quantity)::text as quantity, sum(amount)::text as amount,
        sum(amount) as cost
      from usage_days
      where org_id = ${orgId} and day between ${from}::date and ${to}::date
      group by 1, 2 order by cost desc, 1, 2 limit ${MOST_LINES}
    ) lines
    left join agents on ${by === "agent"} and agents.id = lines.key and agents.org_id = ${orgId}
    left join apps on ${by === "vendor"} and lines.metric = 'app_calls' and apps.id = lines.key
    order by lines.key, lines.metric`.execute(db);
  return rows;
}

interface CallLine {
  readonly metric: UsageMetric;
  readonly vendor: string;
  readonly quantity: string;
  readonly amount: string;
}

/** The usage of one call or chat, most expensive first; undefined if it is not the organization's. */
export async function readCallLines(
  db: Kysely<Tables>,
  orgId: string,
  sessionId: string,
): Promise<CallLine[] | undefined> {
  const call = await db
    .selectFrom("calls")
    .select("session_id")
    .where("org_id", "=", orgId)
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  if (!call) return undefined;
  const { rows } = await sql<CallLine>`
    select metric, vendor, sum(quantity)::text as quantity, sum(amount)::text as amount
    from usage_rows where org_id = ${orgId} and (session_id = ${sessionId} or source in (
      -- What a contact writes or says is counted before the conversation that it begins.
      select kind || id from messaging_messages cross join (values ('heard '), ('message ')) as kinds (kind)
      where session_id = ${sessionId} and direction = 'in'
    ))
    group by 1, 2 order by sum(amount) desc, 1, 2`.execute(db);
  return rows;
}

export async function readUsageTotal(
  db: Kysely<Tables>,
  orgId: string,
  { from, to }: UsageSpan,
): Promise<bigint> {
  const { rows } = await sql<{ total: string }>`
    select coalesce(sum(amount), 0)::text as total from usage_days
    where org_id = ${orgId} and day between ${from}::date and ${to}::date`.execute(db);
  return BigInt(rows[0]?.total ?? "0");
}
