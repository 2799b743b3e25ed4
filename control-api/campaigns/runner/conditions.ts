import type { CampaignSettings } from "@parley/shared/contracts/campaigns.ts";
import { type Kysely, sql } from "kysely";
import { parseDecimal } from "../../billing/money.ts";
import type { Tables } from "../../database/tables.ts";
import type { CampaignRow } from "../campaigns/campaign-row.ts";
import { readCost } from "../campaigns/read-progress.ts";

type Db = Kysely<Tables>;
const SECS = 60;

type Bounds = Pick<
  CampaignSettings,
  "endsAt" | "pauseAfterFailures" | "stopAfterAnswered" | "budgetMinutes" | "budgetUsd"
>;

export interface Stop {
  readonly step: "finish" | "pause";
  readonly reason: string | null;
}

/** Whether a running campaign must stop, and why. */
export async function stopOf(
  trx: Db,
  { id, failures }: CampaignRow,
  { settings, now }: { readonly settings: Bounds; readonly now: Date },
): Promise<Stop | undefined> {
  const { endsAt, pauseAfterFailures, stopAfterAnswered } = settings;
  if (endsAt !== null && now.getTime() >= Date.parse(endsAt))
    return { step: "finish", reason: "Its time was over." };
  if (failures >= pauseAfterFailures)
    return { step: "pause", reason: `${failures} calls in a row failed. Check the number and the list.` };
  const { answered, open } = await countsOf(trx, id);
  if (stopAfterAnswered !== null && answered >= stopAfterAnswered)
    return { step: "finish", reason: `${answered} people answered.` };
  if (open === 0) return { step: "finish", reason: null };
  const budget = await usedUp(trx, id, { settings, now });
  return budget === undefined ? undefined : { step: "pause", reason: `Its budget of ${budget} is used up.` };
}

/** Names the exhausted budget, if any. */
async function usedUp(
  trx: Db,
  id: string,
  { settings: { budgetMinutes, budgetUsd }, now }: { readonly settings: Bounds; readonly now: Date },
): Promise<string | undefined> {
  if (budgetMinutes !== null && (await talkedSecs(trx, id, now)) >= budgetMinutes * SECS)
    return `${budgetMinutes} minutes`;
  const amount = budgetUsd === null ? undefined : parseDecimal(budgetUsd);
  if (amount === undefined || (await readCost(trx, id)) < amount) return undefined;
  return `$${budgetUsd}`;
}

async function countsOf(trx: Db, campaignId: string): Promise<{ answered: number; open: number }> {
  return trx
    .selectFrom("campaign_targets")
    .select([
      sql<number>`(count(*) filter (where outcome = 'answered'))::int`.as("answered"),
      sql<number>`(count(*) filter (where state <> 'done'))::int`.as("open"),
    ])
    .where("campaign_id", "=", campaignId)
    .executeTakeFirstOrThrow();
}

/** Talk time of all the campaign's calls, live ones included. */
async function talkedSecs(trx: Db, campaignId: string, now: Date): Promise<number> {
  const { secs } = await trx
    .selectFrom("campaign_attempts as a")
    .leftJoin("calls as c", "c.session_id", "a.session_id")
    .select(
      sql<number>`coalesce(sum(coalesce(a.talk_secs, case when a.settled_at is null and c.started_at is not null
        then extract(epoch from ${now}::timestamptz - c.started_at) end)), 0)::float`.as("secs"),
    )
    .where("a.campaign_id", "=", campaignId)
    .executeTakeFirstOrThrow();
  return secs;
}
