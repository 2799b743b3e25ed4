import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { type LimitPeriod, periodStart } from "./periods.ts";

type Db = Kysely<Tables>;

export interface SpendingLimit {
  readonly id: string;
  readonly scope: "organization" | "agent" | "campaign" | "key";
  /** Empty for the organization's own limit. */
  readonly scopeId: string;
  readonly period: LimitPeriod;
  readonly kind: "soft" | "hard";
  /** In micros. */
  readonly amount: bigint;
  readonly warnedOn: string | null;
}

const MOST_LIMITS = 200;
const COLUMNS = ["id", "scope", "scope_id", "period", "kind", "amount"] as const;
const WARNED_ON = sql<string | null>`warned_on::text`.as("warned_on");
type Row = Pick<Selectable<Tables["spending_limits"]>, (typeof COLUMNS)[number] | "warned_on">;

/** The organization's limits, oldest first. */
export async function listLimits(db: Db, orgId: string): Promise<SpendingLimit[]> {
  const rows = await db
    .selectFrom("spending_limits")
    .select([...COLUMNS, WARNED_ON])
    .where("org_id", "=", orgId)
    .orderBy("created_at")
    .orderBy("id")
    .limit(MOST_LIMITS)
    .execute();
  return rows.map(toLimit);
}

export interface NewLimit extends Omit<SpendingLimit, "warnedOn"> {
  readonly orgId: string;
  readonly at: Date;
}

/** Replaces the limit of the same scope, period and kind, if there is one. */
export async function putLimit(db: Db, limit: NewLimit): Promise<SpendingLimit> {
  const { id, orgId, scope, scopeId, period, kind, amount, at } = limit;
  const row = await db
    .insertInto("spending_limits")
    .values({
      id,
      org_id: orgId,
      scope,
      scope_id: scopeId,
      period,
      kind,
      amount,
      warned_on: null,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["org_id", "scope", "scope_id", "period", "kind"])
        .doUpdateSet({ amount, warned_on: null }),
    )
    .returning([...COLUMNS, WARNED_ON])
    .executeTakeFirstOrThrow();
  return toLimit(row);
}

/** Returns true if the limit existed. */
export async function deleteLimit(db: Db, orgId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom("spending_limits")
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Returns false if a warning already went out in this period, or somebody else is giving it: nobody waits for that. */
export async function markWarned(trx: Db, id: string, day: string): Promise<boolean> {
  const unwarned = trx
    .selectFrom("spending_limits")
    .select("id")
    .where("id", "=", id)
    .where(sql<boolean>`warned_on is distinct from ${day}::date`)
    .forUpdate()
    .skipLocked();
  const marked = await trx
    .updateTable("spending_limits")
    .set({ warned_on: day })
    .where("id", "in", unwarned)
    .returning("id")
    .executeTakeFirst();
  return marked !== undefined;
}

const SCOPE_COLUMNS = { agent: "agent_id", campaign: "campaign_id", key: "key_id" } as const;

/** What each campaign's calls and messages have cost so far, in micros; without those that cost nothing. */
export async function readCampaignCosts(
  db: Db,
  orgId: string,
  campaignIds: readonly string[],
): Promise<Map<string, bigint>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("campaign_days")
    .select(["campaign_id", sql<string>`sum(amount)::text`.as("micros")])
    .where("org_id", "=", orgId)
    .where("campaign_id", "in", campaignIds)
    .groupBy("campaign_id")
    .execute();
  return new Map(rows.map(({ campaign_id: id, micros }) => [id, BigInt(micros)]));
}

/** Spending in the limit's current period (`spent`) and the estimates of ongoing calls (`expected`), in micros. */
export async function readSpent(
  db: Db,
  orgId: string,
  { scope, scopeId, period }: Pick<SpendingLimit, "scope" | "scopeId" | "period">,
  now: Date,
): Promise<{ spent: bigint; expected: bigint }> {
  const ofScope = scope === "organization" ? sql`true` : sql`${sql.ref(SCOPE_COLUMNS[scope])} = ${scopeId}`;
  const from = periodStart(period, now);
  const spentSum =
    scope === "campaign"
      ? sql`from campaign_days where org_id = ${orgId} and campaign_id = ${scopeId} and day >= ${from}::date`
      : sql`from usage_days where org_id = ${orgId} and day >= ${from}::date and ${ofScope}`;
  const { rows } = await sql<{ spent: string; expected: string }>`
    select
      (select coalesce(sum(amount), 0)::text ${spentSum}) as spent,
      (select coalesce(sum(estimate), 0)::text from billed_calls
        where org_id = ${orgId} and settled_at is null and ${ofScope}) as expected`.execute(db);
  const [{ spent, expected } = { spent: "0", expected: "0" }] = rows;
  return { spent: BigInt(spent), expected: BigInt(expected) };
}

function toLimit(row: Row): SpendingLimit {
  return {
    id: row.id,
    scope: row.scope,
    scopeId: row.scope_id,
    period: row.period,
    kind: row.kind,
    amount: BigInt(row.amount),
    warnedOn: row.warned_on,
  };
}
