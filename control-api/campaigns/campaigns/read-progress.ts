import type { CampaignProgress } from "@parley/shared/contracts/campaigns.ts";
import { type Kysely, sql } from "kysely";
import { toDecimal } from "../../billing/money.ts";
import type { Tables } from "../../database/tables.ts";

const SHOWN_HOURS = 168;

/** Reads the progress of a campaign. */
export async function readProgress(db: Kysely<Tables>, campaignId: string): Promise<CampaignProgress> {
  const attempts = db.selectFrom("campaign_attempts").where("campaign_id", "=", campaignId);
  const dialed = attempts.where("dialed_at", "is not", null);
  const answered = sql<number>`(count(*) filter (where outcome = 'answered'))::int`;
  const sums = await attempts
    .select([
      sql<number>`(count(*) filter (where dialed_at is not null))::int`.as("dialed"),
      sql<number>`(count(*) filter (where dialed_at is not null and settled_at is null))::int`.as("live"),
      answered.as("answered"),
      sql<number>`coalesce(sum(talk_secs), 0)::int`.as("talkSecs"),
    ])
    .executeTakeFirstOrThrow();
  const hours = await dialed
    .select([
      sql<Date>`date_trunc('hour', dialed_at)`.as("at"),
      sql<number>`count(*)::int`.as("dialed"),
      answered.as("answered"),
    ])
    .groupBy(sql`1`)
    .orderBy(sql`1`, "desc")
    .limit(SHOWN_HOURS)
    .execute();
  return {
    ...sums,
    cost: toDecimal(await readCost(db, campaignId)),
    hours: hours.toReversed().map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts })),
  };
}

/** Cost of the campaign's calls so far, in micros. */
export async function readCost(db: Kysely<Tables>, campaignId: string): Promise<bigint> {
  const sessions = db
    .selectFrom("campaign_attempts")
    .select("session_id")
    .where("campaign_id", "=", campaignId)
    .where("session_id", "is not", null);
  const { micros } = await db
    .selectFrom("usage_rows")
    .select(sql<string>`coalesce(sum(amount), 0)::text`.as("micros"))
    .where("session_id", "in", sessions)
    .executeTakeFirstOrThrow();
  return BigInt(micros);
}
