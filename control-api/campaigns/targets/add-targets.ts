import type { Mapping, TargetsAdded } from "@parley/shared/contracts/campaigns.ts";
import type { RefusedRow } from "@parley/shared/contracts/do-not-call.ts";
import { AppError } from "@parley/shared/errors.ts";
import { lockCampaign } from "../campaigns/campaign-row.ts";
import type { CampaignsDeps } from "../deps.ts";
import { SHOWN_REFUSED } from "../do-not-call/add-numbers.ts";
import { findBlocked } from "../do-not-call/store.ts";
import { type NewTarget, type Row, readRows } from "./read-rows.ts";
import { insertTargets } from "./store.ts";

/** Per campaign. */
const MAX_TARGETS = 100_000;

/**
 * Adds targets; a number is in a campaign once. Throws `AppError` not_found, bad_request (the columns), conflict (the
 * campaign is canceled or full).
 */
export async function addTargets(
  { orgId, campaignId }: { readonly orgId: string; readonly campaignId: string },
  { rows, mapping }: { readonly rows: readonly Row[]; readonly mapping: Mapping },
  { database, clock }: Pick<CampaignsDeps, "database" | "clock">,
): Promise<TargetsAdded> {
  const { targets, refused } = readRows(rows, mapping);
  const { once, again } = withoutRepeats(targets);
  const at = new Date(clock.wallMs());
  return database.db.transaction().execute(async (trx) => {
    const campaign = await lockCampaign(trx, campaignId);
    if (campaign?.org_id !== orgId)
      throw new AppError("not_found", `There is no campaign ${campaignId} in this organization.`);
    if (campaign.status === "canceled")
      throw new AppError("conflict", "This campaign is canceled and makes no more calls.");
    const counted = trx.selectFrom("campaign_targets").where("campaign_id", "=", campaignId);
    const { count } = await counted.select(trx.fn.countAll<string>().as("count")).executeTakeFirstOrThrow();
    if (Number(count) + once.length > MAX_TARGETS)
      throw new AppError(
        "conflict",
        `A campaign has at most ${MAX_TARGETS} targets. Create another campaign.`,
      );
    const added = await insertTargets(trx, once, { campaignId, orgId, at });
    const known = once.filter(({ phone }) => !added.has(phone));
    const duplicates = [
      ...again.map((target) => repeated(target, "is in this list already")),
      ...known.map((target) => repeated(target, "is in this campaign already")),
    ];
    const all = [...refused, ...duplicates].toSorted((one, other) => one.row - other.row);
    return {
      added: added.size,
      duplicates: duplicates.length,
      doNotCall: (await findBlocked(trx, orgId, [...added])).size,
      refused: all.slice(0, SHOWN_REFUSED),
      refusedTotal: all.length,
    };
  });
}

function repeated({ row, phone }: NewTarget, why: string): RefusedRow {
  return { row, value: phone, why };
}

/** Splits the first row of each number from its repeats. */
function withoutRepeats(targets: readonly NewTarget[]): { once: NewTarget[]; again: NewTarget[] } {
  const seen = new Set<string>();
  const once: NewTarget[] = [];
  const again: NewTarget[] = [];
  for (const target of targets) {
    (seen.has(target.phone) ? again : once).push(target);
    seen.add(target.phone);
  }
  return { once, again };
}
