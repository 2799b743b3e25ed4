import type { CampaignStep } from "@parley/shared/contracts/campaign-states.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { CampaignsDeps } from "../deps.ts";
import { type CampaignRow, countTargets, findCampaign, lockCampaign, stepCampaign } from "./campaign-row.ts";

export interface Whose {
  readonly orgId: string;
  readonly id: string;
}

type Kind = CampaignRow["kind"];

/** Throws `AppError` not_found, conflict (its state does not allow the step), bad_request (nobody is waiting). */
export async function takeStep(
  kind: Kind,
  { orgId, id }: Whose,
  step: CampaignStep,
  { database: { db }, clock }: Pick<CampaignsDeps, "database" | "clock">,
): Promise<void> {
  await findCampaign(db, kind, orgId, id);
  const at = new Date(clock.wallMs());
  await db.transaction().execute(async (trx) => {
    const row = await lockCampaign(trx, id);
    const next = row && (await stepCampaign(trx, row, { step, at }));
    if (!next) throw new AppError("conflict", `A campaign that is ${row?.status ?? "gone"} cannot ${step}.`);
    const { waiting = 0, calling = 0 } = (await countTargets(trx, [id])).get(id) ?? {};
    if (step === "start" && waiting + calling === 0)
      throw new AppError("bad_request", "There is no one left to call in this campaign. Add people first.");
  });
}

/** Removes a campaign and its targets; live calls go on. Throws `AppError` not_found, conflict (it is running). */
export async function removeCampaign(
  kind: Kind,
  { orgId, id }: Whose,
  { database: { db } }: Pick<CampaignsDeps, "database">,
): Promise<void> {
  await findCampaign(db, kind, orgId, id);
  await db.transaction().execute(async (trx) => {
    const row = await lockCampaign(trx, id);
    if (row?.status === "running")
      throw new AppError(
        "conflict",
        "A campaign that is running cannot be deleted; pause or cancel it first.",
      );
    await trx.deleteFrom("campaigns").where("id", "=", id).execute();
  });
}
