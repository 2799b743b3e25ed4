import {
  type CreateWhatsAppCampaign,
  type UpdateWhatsAppCampaign,
  type WhatsAppCampaign,
  type WhatsAppSettings,
  whatsAppSettingsSchema,
} from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { newId } from "@parley/shared/ids.ts";
import { type Kysely, sql } from "kysely";
import { readCampaignCosts } from "../../billing/limits/store.ts";
import { toDecimal } from "../../billing/money.ts";
import type { Tables } from "../../database/tables.ts";
import { findOwnChannel } from "../../messaging/channels/channel-store.ts";
import {
  type CampaignRow,
  countTargets,
  findCampaign,
  listCampaigns,
  lockCampaign,
} from "../campaigns/campaign-row.ts";
import type { CampaignsDeps } from "../deps.ts";

const KIND = "whatsapp";
type Db = Kysely<Tables>;

/** Throws `AppError` not_found if the number does not exist. */
export async function createWhatsAppCampaign(
  { name, ...settings }: CreateWhatsAppCampaign,
  { orgId, by }: { readonly orgId: string; readonly by: string },
  { database: { db }, clock }: CampaignsDeps,
): Promise<WhatsAppCampaign> {
  await findOwnChannel(db, { orgId, provider: "whatsapp", id: settings.channelId });
  const at = new Date(clock.wallMs());
  const row = await db
    .insertInto("campaigns")
    .values({
      ...{ id: newId("cmp"), org_id: orgId, kind: KIND, name, status: "draft", created_by: by },
      ...{ settings: JSON.stringify(settings), created_at: at, updated_at: at },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return shownOne(db, row);
}

/** Throws `AppError` not_found. */
export async function readWhatsAppCampaign(db: Db, orgId: string, id: string): Promise<WhatsAppCampaign> {
  return shownOne(db, await findCampaign(db, KIND, orgId, id));
}

/** Changes a campaign, also while it runs. Throws `AppError` not_found (it, or its number). */
export async function changeWhatsAppCampaign(
  { orgId, id }: { readonly orgId: string; readonly id: string },
  { name, ...changes }: UpdateWhatsAppCampaign,
  { database: { db }, clock }: CampaignsDeps,
): Promise<WhatsAppCampaign> {
  const before = await findCampaign(db, KIND, orgId, id);
  if (changes.channelId !== undefined)
    await findOwnChannel(db, { orgId, provider: "whatsapp", id: changes.channelId });
  const at = new Date(clock.wallMs());
  return db.transaction().execute(async (trx) => {
    const row = (await lockCampaign(trx, id)) ?? before;
    const settings = whatsAppSettingsSchema.parse({ ...whatsAppSettingsOf(row), ...changes });
    const written = { name: name ?? row.name, settings: JSON.stringify(settings), updated_at: at };
    const update = trx.updateTable("campaigns").set(written).where("id", "=", id).returningAll();
    return shownOne(trx, await update.executeTakeFirstOrThrow());
  });
}

/** Lists campaigns, newest first. */
export async function listWhatsAppCampaigns(
  db: Db,
  query: { readonly orgId: string; readonly before?: string | undefined; readonly limit: number },
): Promise<WhatsAppCampaign[]> {
  return shown(db, await listCampaigns(db, { ...query, kind: KIND }));
}

export function whatsAppSettingsOf({ settings }: Pick<CampaignRow, "settings">): WhatsAppSettings {
  return whatsAppSettingsSchema.parse(settings);
}

async function shownOne(db: Db, row: CampaignRow): Promise<WhatsAppCampaign> {
  const [campaign] = await shown(db, [row]);
  if (!campaign) throw new Error("a campaign is not shown");
  return campaign;
}

async function shown(db: Db, rows: readonly CampaignRow[]): Promise<WhatsAppCampaign[]> {
  const ids = rows.map(({ id }) => id);
  const counts = await countTargets(db, ids);
  const messages = await countMessages(db, ids);
  const costs = await readCampaignCosts(db, rows[0]?.org_id ?? "", ids);
  return rows.flatMap((row) => {
    const targets = counts.get(row.id);
    if (!targets) return [];
    return {
      ...{ id: row.id, name: row.name, status: row.status, statusReason: row.status_reason, targets },
      settings: whatsAppSettingsOf(row),
      messages: messages.get(row.id) ?? { sent: 0, delivered: 0, read: 0, failed: 0 },
      cost: toDecimal(costs.get(row.id) ?? 0n),
      createdAt: row.created_at.toISOString(),
      startedAt: row.started_at?.toISOString() ?? null,
      finishedAt: row.finished_at?.toISOString() ?? null,
    };
  });
}

async function countMessages(
  db: Db,
  campaignIds: readonly string[],
): Promise<Map<string, WhatsAppCampaign["messages"]>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("campaign_attempts as a")
    .innerJoin("messaging_messages as m", "m.id", "a.message_id")
    .select([
      "a.campaign_id as id",
      sql<number>`(count(*) filter (where m.status in ('sent', 'delivered', 'read', 'played')))::int`.as(
        "sent",
      ),
      sql<number>`(count(*) filter (where m.status in ('delivered', 'read', 'played')))::int`.as("delivered"),
      sql<number>`(count(*) filter (where m.status in ('read', 'played')))::int`.as("read"),
      sql<number>`(count(*) filter (where m.status = 'failed'))::int`.as("failed"),
    ])
    .where("a.campaign_id", "in", [...campaignIds])
    .groupBy("a.campaign_id")
    .execute();
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
