import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { findActive, lockCampaign, settingsOf, stepCampaign } from "../campaigns/campaign-row.ts";
import type { CampaignsDeps } from "../deps.ts";
import { stopOf } from "./conditions.ts";
import { type Dealt, dealTargets } from "./deal.ts";
import { DIAL_ATTEMPT } from "./dial-attempt.ts";
import { settleEnded } from "./settle.ts";

export interface RunnerDeps extends Pick<CampaignsDeps, "database" | "clock"> {
  readonly queue: JobQueue;
  readonly log: Logger;
}

/**
 * Runs one round of all campaigns: settles ended calls, stops campaigns that must stop, and deals the next targets. One
 * process at a time runs rounds; each campaign's transaction locks its row, so a second runner does no harm.
 */
export async function runCampaigns(signal: AbortSignal, deps: RunnerDeps): Promise<void> {
  const { database, log, queue } = deps;
  let dealt = 0;
  for (const id of await findActive(database.db, "calls")) {
    if (signal.aborted) break;
    try {
      dealt += await runCampaign(id, deps);
    } catch (error) {
      log.warn(
        { event: "campaign_round_failed", campaignId: id, err: messageOf(error) },
        "failed to go on with a campaign, trying again in its next round",
      );
    }
  }
  if (dealt > 0) queue.announce();
}

function runCampaign(id: string, { database, clock, queue }: RunnerDeps): Promise<number> {
  const now = new Date(clock.wallMs());
  return database.db.transaction().execute(async (trx) => {
    const before = await lockCampaign(trx, id);
    if (!before) return 0;
    const settings = settingsOf(before);
    await settleEnded(trx, id, { settings, now });
    const campaign = (await lockCampaign(trx, id)) ?? before;
    if (campaign.status !== "running") return 0;
    const stop = await stopOf(trx, campaign, { settings, now });
    if (stop) await stepCampaign(trx, campaign, { ...stop, at: now });
    if (stop) return 0;
    const { org_id: orgId } = campaign;
    const begin = ({ attemptId }: Dealt) => queue.add(trx, DIAL_ATTEMPT, { payload: { attemptId }, orgId });
    return dealTargets(trx, campaign, { settings, now, begin });
  });
}
