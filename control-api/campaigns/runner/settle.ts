import type { CampaignSettings } from "@parley/shared/contracts/campaigns.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { giveBack, settleAttempt } from "./attempts.ts";
import { outcomeOf } from "./outcome.ts";

type Db = Kysely<Tables>;
/** Longer than a dial takes, time-outs included: a call whose carrier has reported nothing by then is not ringing. */
const UNHEARD_MS = 180_000;
/** Age of an undialed attempt whose job must have been put aside. */
const FORGOTTEN_MS = 600_000;
/** Longer than any call. */
const ENDLESS_MS = 6 * 3_600_000;
const AT_ONCE = 200;

/** Settles the attempts whose calls have ended. */
export async function settleEnded(
  trx: Db,
  campaignId: string,
  { settings, now }: { readonly settings: CampaignSettings; readonly now: Date },
): Promise<void> {
  const open = await trx
    .selectFrom("campaign_attempts as a")
    .leftJoin("calls as c", "c.session_id", "a.session_id")
    .select([
      "a.id as attemptId",
      "a.target_id as targetId",
      "a.dealt_at as dealtAt",
      "a.session_id as sessionId",
    ])
    .select([
      "a.dialed_at as dialedAt",
      "c.status",
      "c.end_reason as endReason",
      "c.answered_by as answeredBy",
    ])
    .select(["c.ended_at as endedAt", "c.duration_secs as talkSecs", "c.call_sid as callSid", "a.error"])
    .where("a.campaign_id", "=", campaignId)
    .where("a.settled_at", "is", null)
    .orderBy("a.dealt_at")
    .limit(AT_ONCE * 5)
    .execute();
  for (const attempt of open) {
    const { attemptId, targetId, sessionId, dialedAt, dealtAt } = attempt;
    if (sessionId === null || dialedAt === null) {
      if (now.getTime() - dealtAt.getTime() > FORGOTTEN_MS)
        await giveBack(trx, { attemptId, targetId, dueAt: now });
      continue;
    }
    const { status, endReason, answeredBy, endedAt, talkSecs, error } = attempt;
    const about = { attemptId, targetId, campaignId };
    if (status !== null && endedAt !== null) {
      const outcome = outcomeOf({ status, endReason, answeredBy });
      await settleAttempt(trx, { ...about, outcome, talkSecs, error, endedAt }, settings);
      continue;
    }
    const limitMs = attempt.callSid === null ? UNHEARD_MS : ENDLESS_MS;
    if (now.getTime() - dialedAt.getTime() < limitMs) continue;
    const lost = error ?? "Nothing was heard of this call.";
    await settleAttempt(trx, { ...about, outcome: "failed", error: lost, endedAt: now }, settings);
  }
}
