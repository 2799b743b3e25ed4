import { type Outcome, targetAfter } from "@parley/shared/contracts/campaign-states.ts";
import type { CampaignSettings } from "@parley/shared/contracts/campaigns.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { forgetRows } from "../targets/erase-targets.ts";
import { retryAt } from "./outcome.ts";

type Db = Kysely<Tables>;

/** Result of an attempt. */
export interface Result {
  readonly attemptId: string;
  readonly targetId: string;
  readonly campaignId: string;
  readonly outcome: Outcome;
  readonly error?: string | null;
  readonly talkSecs?: number | null;
  readonly endedAt: Date;
}

/** Records the result of an attempt once, and the next state of its target. */
export async function settleAttempt(
  trx: Db,
  result: Result,
  settings: Pick<CampaignSettings, "retries">,
): Promise<void> {
  const { attemptId, targetId, campaignId, outcome, error = null, talkSecs = null, endedAt } = result;
  const settled = await trx
    .updateTable("campaign_attempts")
    .set({ settled_at: endedAt, outcome, error, talk_secs: talkSecs })
    .where("id", "=", attemptId)
    .where("settled_at", "is", null)
    .executeTakeFirst();
  if (settled.numUpdatedRows === 0n) return;
  const { times } = await trx
    .selectFrom("campaign_attempts")
    .select(sql<number>`count(*)::int`.as("times"))
    .where("target_id", "=", targetId)
    .where("outcome", "=", outcome)
    .executeTakeFirstOrThrow();
  const isLeftOut = await wasLeftOut(trx, targetId);
  const dueAt = isLeftOut ? undefined : retryAt(outcome, times, { ...settings, endedAt });
  const state = targetAfter("calling", dueAt === undefined ? "settle" : "retry");
  await trx
    .updateTable("campaign_targets")
    .set({
      ...(state === undefined ? {} : { state }),
      outcome,
      ...(dueAt === undefined ? {} : { due_at: dueAt }),
    })
    .where("id", "=", targetId)
    .where("state", "=", "calling")
    .execute();
  if (isLeftOut) await forgetRows(trx, [targetId]);
  await trx
    .updateTable("campaigns")
    .set({ failures: outcome === "failed" ? sql`failures + 1` : 0 })
    .where("id", "=", campaignId)
    .execute();
}

/** Whether the person was erased while the attempt went on. */
async function wasLeftOut(trx: Db, targetId: string): Promise<boolean> {
  const target = await trx
    .selectFrom("campaign_targets")
    .select("outcome")
    .where("id", "=", targetId)
    .where("state", "=", "calling")
    .forUpdate()
    .executeTakeFirst();
  return target?.outcome === "removed";
}

/** Voids an attempt that dialed nobody, so its target waits again. Returns false if somebody was dialed. */
export async function giveBack(
  trx: Db,
  {
    attemptId,
    targetId,
    dueAt,
  }: { readonly attemptId: string; readonly targetId: string; readonly dueAt: Date },
): Promise<boolean> {
  const deleted = await trx
    .deleteFrom("campaign_attempts")
    .where("id", "=", attemptId)
    .where("session_id", "is", null)
    .where("settled_at", "is", null)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) return false;
  if (await wasLeftOut(trx, targetId)) {
    await forgetRows(trx, [targetId]);
    return true;
  }
  const state = targetAfter("calling", "give back");
  await trx
    .updateTable("campaign_targets")
    .set({ ...(state === undefined ? {} : { state }), attempts: sql`attempts - 1`, due_at: dueAt })
    .where("id", "=", targetId)
    .where("state", "=", "calling")
    .execute();
  return true;
}
