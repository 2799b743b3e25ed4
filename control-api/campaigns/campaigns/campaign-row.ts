import { type CampaignStep, campaignAfter, type Outcome } from "@parley/shared/contracts/campaign-states.ts";
import {
  type Campaign,
  type CampaignSettings,
  campaignSettingsSchema,
  type TargetCounts,
} from "@parley/shared/contracts/campaigns.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;
export type CampaignRow = Selectable<Tables["campaigns"]>;
type Kind = CampaignRow["kind"];

/** Throws `AppError` not_found. */
export async function findCampaign(db: Db, kind: Kind, orgId: string, id: string): Promise<CampaignRow> {
  const row = await db
    .selectFrom("campaigns")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row) return row;
  throw new AppError("not_found", `There is no campaign ${id} in this organization.`);
}

/** Locks a campaign until the transaction ends. Returns undefined if it no longer exists. */
export function lockCampaign(trx: Db, id: string): Promise<CampaignRow | undefined> {
  return trx.selectFrom("campaigns").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Moves a locked campaign to its next state. Returns undefined if its current state does not allow the step. */
export async function stepCampaign(
  trx: Db,
  { id, status, started_at: startedAt }: CampaignRow,
  {
    step,
    reason = null,
    at,
  }: { readonly step: CampaignStep; readonly reason?: string | null; readonly at: Date },
): Promise<CampaignRow | undefined> {
  const next = campaignAfter(status, step);
  if (next === undefined) return undefined;
  const isOver = next === "done" || next === "canceled";
  return trx
    .updateTable("campaigns")
    .set({
      status: next,
      status_reason: reason,
      updated_at: at,
      ...(next === "running" ? { started_at: startedAt ?? at, failures: 0, next_dial_at: null } : {}),
      finished_at: isOver ? at : null,
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/** Lists campaigns, newest first. */
export function listCampaigns(
  db: Db,
  { kind, orgId, before, limit }: { kind: Kind; orgId: string; before?: string | undefined; limit: number },
): Promise<CampaignRow[]> {
  let rows = db.selectFrom("campaigns").selectAll().where("org_id", "=", orgId).where("kind", "=", kind);
  if (before !== undefined) rows = rows.where("id", "<", before);
  return rows.orderBy("id", "desc").limit(limit).execute();
}

/** Campaigns with work to do: those that run, and those with attempts whose end is not recorded yet. */
export async function findActive(db: Db, kind: Kind): Promise<string[]> {
  const rows = await db
    .selectFrom("campaigns")
    .select("id")
    .where("kind", "=", kind)
    .where((where) =>
      where.or([
        where("status", "=", "running"),
        where.exists(
          where
            .selectFrom("campaign_attempts")
            .select("campaign_attempts.id")
            .whereRef("campaign_attempts.campaign_id", "=", "campaigns.id")
            .where("campaign_attempts.settled_at", "is", null),
        ),
      ]),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Stored settings, with defaults for settings added since. */
export function settingsOf({ settings }: Pick<CampaignRow, "settings">): CampaignSettings {
  return campaignSettingsSchema.parse(settings);
}

/** Counts the targets of each campaign by state. */
export async function countTargets(
  db: Db,
  campaignIds: readonly string[],
): Promise<Map<string, TargetCounts>> {
  const counts = new Map(campaignIds.map((id) => [id, noTargets()]));
  if (campaignIds.length === 0) return counts;
  const rows = await db
    .selectFrom("campaign_targets")
    .select(["campaign_id as id", "state", "outcome", sql<number>`count(*)::int`.as("count")])
    .where("campaign_id", "in", [...campaignIds])
    .groupBy(["campaign_id", "state", "outcome"])
    .execute();
  for (const { id, state, outcome, count } of rows) {
    const found = counts.get(id);
    if (!found) continue;
    found.total += count;
    found[state] += count;
    if (state === "done" && outcome !== null)
      found.outcomes[outcome] = (found.outcomes[outcome] ?? 0) + count;
  }
  return counts;
}

function noTargets(): TargetCounts {
  const outcomes: Partial<Record<Outcome, number>> = {};
  return { total: 0, waiting: 0, calling: 0, done: 0, outcomes };
}

export function toCampaign(row: CampaignRow, targets: TargetCounts): Campaign {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    statusReason: row.status_reason,
    settings: settingsOf(row),
    targets,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
