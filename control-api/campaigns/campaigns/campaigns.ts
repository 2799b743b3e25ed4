import type { CampaignStep } from "@parley/shared/contracts/campaign-states.ts";
import {
  type Campaign,
  type CampaignSettings,
  type CampaignsQuery,
  type CreateCampaign,
  campaignSettingsSchema,
  type UpdateCampaign,
} from "@parley/shared/contracts/campaigns.ts";
import { fieldError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import { findAgent } from "../../agents/agents/store.ts";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { CampaignsDeps } from "../deps.ts";
import {
  type CampaignRow,
  countTargets,
  findCampaign,
  listCampaigns,
  lockCampaign,
  settingsOf,
  toCampaign,
} from "./campaign-row.ts";
import { removeCampaign, takeStep, type Whose } from "./steps.ts";

const KIND = "calls";

/** Throws `AppError` validation_failed if the agent or the number does not exist. */
export async function createCampaign(
  given: CreateCampaign,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  deps: CampaignsDeps,
): Promise<Campaign> {
  const { name, ...settings } = given;
  await assertOurs(orgId, settings, deps.database);
  const at = new Date(deps.clock.wallMs());
  const row = await deps.database.db
    .insertInto("campaigns")
    .values({
      ...{ id: newId("cmp"), org_id: orgId, kind: KIND, name, status: "draft", created_by: userId },
      ...{ settings: JSON.stringify(settings), created_at: at, updated_at: at },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return shown(deps.database.db, row);
}

export async function readCampaigns(
  orgId: string,
  query: CampaignsQuery,
  { database: { db } }: Pick<CampaignsDeps, "database">,
): Promise<Campaign[]> {
  const rows = await listCampaigns(db, { ...query, kind: KIND, orgId });
  const counts = await countTargets(
    db,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row) => {
    const targets = counts.get(row.id);
    return targets ? [toCampaign(row, targets)] : [];
  });
}

/** Throws `AppError` not_found. */
export async function readCampaign(
  { orgId, id }: Whose,
  { database: { db } }: Pick<CampaignsDeps, "database">,
): Promise<Campaign> {
  return shown(db, await findCampaign(db, KIND, orgId, id));
}

/** Throws `AppError` not_found, validation_failed. */
export async function changeCampaign(
  { orgId, id }: Whose,
  { name, ...changes }: UpdateCampaign,
  { database, clock }: CampaignsDeps,
): Promise<Campaign> {
  const { db } = database;
  const before = await findCampaign(db, KIND, orgId, id);
  await assertOurs(orgId, campaignSettingsSchema.parse({ ...settingsOf(before), ...changes }), database);
  const at = new Date(clock.wallMs());
  return db.transaction().execute(async (trx) => {
    const row = (await lockCampaign(trx, id)) ?? before;
    const settings = campaignSettingsSchema.parse({ ...settingsOf(row), ...changes });
    const written = { name: name ?? row.name, settings: JSON.stringify(settings), updated_at: at };
    const update = trx.updateTable("campaigns").set(written).where("id", "=", id).returningAll();
    return shown(trx, await update.executeTakeFirstOrThrow());
  });
}

/** Throws as `takeStep` does. */
export async function moveCampaign(whose: Whose, step: CampaignStep, deps: CampaignsDeps): Promise<Campaign> {
  await takeStep(KIND, whose, step, deps);
  return readCampaign(whose, deps);
}

/** Throws as `removeCampaign` does. */
export function deleteCampaign(whose: Whose, deps: CampaignsDeps): Promise<void> {
  return removeCampaign(KIND, whose, deps);
}

async function shown(db: Kysely<Tables>, row: CampaignRow): Promise<Campaign> {
  const targets = (await countTargets(db, [row.id])).get(row.id);
  if (!targets) throw new Error("a campaign has no counts");
  return toCampaign(row, targets);
}

async function assertOurs(
  orgId: string,
  { agentId, fromNumberId }: CampaignSettings,
  database: Database,
): Promise<void> {
  if (!(await findAgent(database, orgId, agentId)))
    throw fieldError("validation_failed", "agentId", `There is no agent ${agentId} in this organization.`);
  if (fromNumberId === null) return;
  const number = await database.db
    .selectFrom("phone_numbers")
    .select("id")
    .where("org_id", "=", orgId)
    .where("id", "=", fromNumberId)
    .executeTakeFirst();
  if (number) return;
  const message = `There is no number ${fromNumberId} in this organization.`;
  throw fieldError("validation_failed", "fromNumberId", message);
}
