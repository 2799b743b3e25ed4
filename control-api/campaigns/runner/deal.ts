import { targetAfter } from "@parley/shared/contracts/campaign-states.ts";
import type { CampaignSettings } from "@parley/shared/contracts/campaigns.ts";
import { newId } from "@parley/shared/ids.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { CampaignRow } from "../campaigns/campaign-row.ts";
import { isOpen } from "../zones.ts";

type Db = Kysely<Tables>;
const MINUTE_MS = 60_000;
/** How far back a late round catches up; older turns are dropped so that a stall causes no burst. */
const CATCH_UP_MS = 2_000;

type Pace = Pick<CampaignSettings, "hours" | "callsPerMinute" | "maxLive">;

/** A target that is due to be called. */
export interface Dealt {
  readonly attemptId: string;
  readonly target: {
    readonly id: string;
    readonly phone: string;
    readonly variables: Record<string, string>;
  };
}

export interface Dealing {
  readonly settings: Pace;
  readonly now: Date;
  /** Starts the attempt, in the same transaction. */
  readonly begin: (dealt: Dealt) => Promise<unknown>;
}

/** Deals due targets of a locked campaign at its pace. Returns how many. */
export async function dealTargets(
  trx: Db,
  campaign: CampaignRow,
  { settings, now, begin }: Dealing,
): Promise<number> {
  const { id, org_id: orgId } = campaign;
  const intervalMs = MINUTE_MS / settings.callsPerMinute;
  const nowMs = now.getTime();
  const firstMs = Math.max(campaign.next_dial_at?.getTime() ?? nowMs, nowMs - CATCH_UP_MS);
  const turns = firstMs > nowMs ? 0 : Math.floor((nowMs - firstMs) / intervalMs) + 1;
  const live = await countOpen(trx, id);
  const places = Math.min(turns, settings.maxLive - live);
  if (places <= 0) return 0;
  const zones = await openZones(trx, id, { settings, now });
  if (zones.length === 0) return 0;
  const targets = await trx
    .selectFrom("campaign_targets")
    .select(["id", "attempts", "phone", "variables"])
    .where("campaign_id", "=", id)
    .where("state", "=", "waiting")
    .where("due_at", "<=", now)
    .where(sql<boolean>`zone = any(${zones}::text[])`)
    .orderBy("due_at")
    .orderBy("arrived")
    .limit(places)
    .forUpdate()
    .execute();
  const state = targetAfter("waiting", "deal");
  for (const { attempts, ...target } of targets) {
    const { id: targetId } = target;
    const attemptId = newId("att");
    const change = { ...(state === undefined ? {} : { state }), attempts: attempts + 1 };
    await trx.updateTable("campaign_targets").set(change).where("id", "=", targetId).execute();
    const whose = { id: attemptId, campaign_id: id, org_id: orgId, target_id: targetId };
    await trx
      .insertInto("campaign_attempts")
      .values({ ...whose, number: attempts + 1, dealt_at: now })
      .execute();
    await begin({ attemptId, target });
  }
  const nextDialAt = new Date(firstMs + targets.length * intervalMs);
  await trx.updateTable("campaigns").set({ next_dial_at: nextDialAt }).where("id", "=", id).execute();
  return targets.length;
}

async function countOpen(trx: Db, campaignId: string): Promise<number> {
  const { open } = await trx
    .selectFrom("campaign_attempts")
    .select(sql<number>`count(*)::int`.as("open"))
    .where("campaign_id", "=", campaignId)
    .where("settled_at", "is", null)
    .executeTakeFirstOrThrow();
  return open;
}

/** Zones of due targets where calling is allowed now. */
async function openZones(
  trx: Db,
  campaignId: string,
  { settings, now }: { readonly settings: Pace; readonly now: Date },
): Promise<string[]> {
  const rows = await trx
    .selectFrom("campaign_targets")
    .select("zone")
    .distinct()
    .where("campaign_id", "=", campaignId)
    .where("state", "=", "waiting")
    .where("due_at", "<=", now)
    .execute();
  return rows.map(({ zone }) => zone).filter((zone) => isOpen(zone, settings.hours, now.getTime()));
}
