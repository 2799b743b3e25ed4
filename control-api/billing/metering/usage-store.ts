import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Trx = Kysely<Tables>;

/** A use with its price. */
export interface UsageRow {
  readonly source: string;
  readonly metric: string;
  readonly orgId: string;
  readonly sessionId: string | null;
  /** Empty without an agent; `keyId` likewise. */
  readonly agentId: string;
  readonly keyId: string;
  /** Absent without a campaign. */
  readonly campaignId?: string;
  readonly channel: string;
  readonly vendor: string;
  readonly quantity: bigint;
  /** Null if it has no price. */
  readonly priceId: string | null;
  readonly amount: bigint;
  readonly at: Date;
}

/** Inserts the rows that are new, adds them to the sums of their days, and returns them. */
export async function insertUsage(trx: Trx, rows: readonly UsageRow[]): Promise<UsageRow[]> {
  if (rows.length === 0) return [];
  const inserted = await trx
    .insertInto("usage_rows")
    .values(
      rows.map((row) => ({
        source: row.source,
        metric: row.metric,
        org_id: row.orgId,
        session_id: row.sessionId,
        agent_id: row.agentId,
        key_id: row.keyId,
        campaign_id: row.campaignId ?? "",
        channel: row.channel,
        vendor: row.vendor,
        quantity: row.quantity,
        price_id: row.priceId,
        amount: row.amount,
        at: row.at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(["source", "metric"])
    .execute();
  const keys = new Set(inserted.map(keyOf));
  const news = rows.filter((row) => keys.delete(keyOf(row)));
  await addToDays(trx, news);
  await addToCampaigns(trx, news);
  return news;
}

const keyOf = ({ source, metric }: { source: string; metric: string }): string => `${metric} ${source}`;

/** Sorted by key, so that two transactions never deadlock. */
async function addToDays(trx: Trx, rows: readonly UsageRow[]): Promise<void> {
  const sums = [...Map.groupBy(rows, (row) => JSON.stringify(dayKeyOf(row)))]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, same]) => {
      const [first] = same;
      if (!first) return [];
      const quantity = same.reduce((sum, row) => sum + row.quantity, 0n);
      const amount = same.reduce((sum, row) => sum + row.amount, 0n);
      return { ...dayKeyOf(first), quantity, amount };
    });
  if (sums.length === 0) return;
  await trx
    .insertInto("usage_days")
    .values(sums)
    .onConflict((conflict) =>
      conflict.columns(["org_id", "day", "agent_id", "key_id", "channel", "vendor", "metric"]).doUpdateSet({
        quantity: sql`usage_days.quantity + excluded.quantity`,
        amount: sql`usage_days.amount + excluded.amount`,
      }),
    )
    .execute();
}

/** Sorted by key, as `addToDays`. */
async function addToCampaigns(trx: Trx, rows: readonly UsageRow[]): Promise<void> {
  const paid = rows.flatMap(({ orgId, campaignId, at, amount }) =>
    campaignId === undefined || amount === 0n
      ? []
      : [{ org_id: orgId, campaign_id: campaignId, day: at.toISOString().slice(0, 10), amount }],
  );
  const sums = [...Map.groupBy(paid, ({ amount: _, ...key }) => JSON.stringify(key))]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, same]) => {
      const amount = same.reduce((sum, row) => sum + row.amount, 0n);
      return same.slice(0, 1).map((row) => ({ ...row, amount }));
    });
  if (sums.length === 0) return;
  await trx
    .insertInto("campaign_days")
    .values(sums)
    .onConflict((conflict) =>
      conflict.columns(["org_id", "campaign_id", "day"]).doUpdateSet({
        amount: sql`campaign_days.amount + excluded.amount`,
      }),
    )
    .execute();
}

function dayKeyOf({ orgId, at, agentId, keyId, channel, vendor, metric }: UsageRow) {
  const day = at.toISOString().slice(0, 10);
  return { org_id: orgId, day, agent_id: agentId, key_id: keyId, channel, vendor, metric };
}
