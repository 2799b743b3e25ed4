import type { CampaignSettings } from "@parley/shared/contracts/campaigns.ts";
import type { InitiateCall, PlacedCall } from "@parley/shared/contracts/telephony.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { z } from "zod";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import { handles, type JobHandler, type JobKind } from "../../jobs/job-kind.ts";
import { lockCampaign, settingsOf, stepCampaign } from "../campaigns/campaign-row.ts";
import type { CampaignsDeps } from "../deps.ts";
import { DO_NOT_CALL } from "../do-not-call/hold-to-list.ts";
import { isOpen } from "../zones.ts";
import { giveBack, settleAttempt } from "./attempts.ts";

/** Dials one attempt, once. */
export const DIAL_ATTEMPT: JobKind<{ attemptId: string }> = {
  name: "dial_attempt",
  payload: z.object({ attemptId: z.string() }),
};
const SIDE_BY_SIDE = 32;
/** Delay before an attempt that could not be dialed is dealt again, e.g. because no gateway was free. */
const AGAIN_MS = 15_000;
const SHORT_OF_MONEY: readonly string[] = ["payment_required", "spending_limit_reached"];
/** The target's own fault: its data does not fit the agent. */
const ITS_OWN_FAULT = "validation_failed";

/** Places a call; calls `intend` with its id before anything is dialed. */
export type PlaceCall = (
  input: InitiateCall,
  caller: Caller,
  intend: (sessionId: string) => Promise<void>,
) => Promise<PlacedCall>;

export interface DialDeps extends Pick<CampaignsDeps, "database" | "clock"> {
  readonly placeCall: PlaceCall;
}

export function dialsAttempts(deps: DialDeps): JobHandler {
  return handles(DIAL_ATTEMPT, ({ payload }) => dialAttempt(payload.attemptId, deps), {
    firstRetryMs: 2_000,
    longestRetryMs: 60_000,
    sideBySide: SIDE_BY_SIDE,
  });
}

async function dialAttempt(attemptId: string, deps: DialDeps): Promise<void> {
  const { database, clock, placeCall } = deps;
  const found = await findAttempt(attemptId, deps);
  // A previous run of this job dialed it; the call's record tells the result.
  if (!found || found.sessionId !== null) return;
  const { target, settings } = found;
  if (found.status !== "running" || !isOpen(target.zone, settings.hours, clock.wallMs()))
    return putBack(found, 0, deps);
  const input: InitiateCall = {
    agentId: settings.agentId,
    to: target.phone,
    variables: target.variables,
    ...(settings.fromNumberId === null ? {} : { fromNumberId: settings.fromNumberId }),
    ...(settings.voicemail === "hangup" ? { machineDetection: "hangup" as const } : {}),
  };
  const caller: Caller = {
    orgId: found.orgId,
    userId: found.createdBy,
    kind: "member",
    campaignId: found.campaignId,
  };
  try {
    await placeCall(input, caller, (sessionId) => intend(attemptId, sessionId, deps));
  } catch (error) {
    const noted = await database.db
      .updateTable("campaign_attempts")
      .set({ error: messageOf(error) })
      .where("id", "=", attemptId)
      .where("session_id", "is not", null)
      .executeTakeFirst();
    if (noted.numUpdatedRows === 0n) await wasNotDialed(found, error, deps);
  }
}

/** Binds the attempt to this call. Throws `AppError` conflict if it already has one, or calling is not allowed now. */
async function intend(attemptId: string, sessionId: string, { database, clock }: DialDeps): Promise<void> {
  const at = new Date(clock.wallMs());
  const isOurs = await database.db
    .updateTable("campaign_attempts")
    .set({ session_id: sessionId, dialed_at: at })
    .where("id", "=", attemptId)
    .where("session_id", "is", null)
    .where("campaign_id", "in", (from) =>
      from.selectFrom("campaigns").select("id").where("status", "=", "running"),
    )
    .executeTakeFirst();
  if (isOurs.numUpdatedRows === 0n) throw new AppError("conflict", "This call is no longer due.");
}

interface Found {
  readonly attemptId: string;
  readonly sessionId: string | null;
  readonly orgId: string;
  readonly campaignId: string;
  readonly status: string;
  readonly createdBy: string;
  readonly settings: CampaignSettings;
  readonly target: {
    readonly id: string;
    readonly phone: string;
    readonly zone: string;
    readonly variables: Record<string, string>;
  };
}

async function findAttempt(attemptId: string, { database }: DialDeps): Promise<Found | undefined> {
  const row = await database.db
    .selectFrom("campaign_attempts as a")
    .innerJoin("campaign_targets as t", "t.id", "a.target_id")
    .innerJoin("campaigns as c", "c.id", "a.campaign_id")
    .select(["a.session_id", "c.id as campaign_id", "c.org_id", "c.status", "c.created_by", "c.settings"])
    .select(["t.id", "t.phone", "t.zone", "t.variables"])
    .where("a.id", "=", attemptId)
    .where("a.settled_at", "is", null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, phone, zone, variables } = row;
  return {
    ...{ attemptId, sessionId: row.session_id, orgId: row.org_id, campaignId: row.campaign_id },
    ...{ status: row.status, createdBy: row.created_by, settings: settingsOf(row) },
    target: { id, phone, zone, variables },
  };
}

/** Returns the target to the queue, no earlier than `inMs` from now. */
async function putBack(found: Found, inMs: number, { database, clock }: DialDeps): Promise<void> {
  const { attemptId, target } = found;
  const dueAt = new Date(clock.wallMs() + inMs);
  await database.db.transaction().execute((trx) => giveBack(trx, { attemptId, targetId: target.id, dueAt }));
}

/** Handles a call that was refused before dialing. */
async function wasNotDialed(found: Found, error: unknown, deps: DialDeps): Promise<void> {
  if (!(error instanceof AppError)) throw error;
  const { attemptId, campaignId, settings, target } = found;
  const at = new Date(deps.clock.wallMs());
  const isOnList = error.details?.reason === DO_NOT_CALL;
  if (isOnList || error.code === ITS_OWN_FAULT) {
    const outcome = isOnList ? "do_not_call" : "failed";
    const about = { attemptId, targetId: target.id, campaignId, endedAt: at };
    await deps.database.db
      .transaction()
      .execute((trx) => settleAttempt(trx, { ...about, outcome, error: error.message }, settings));
    return;
  }
  await putBack(found, error.retryable ? AGAIN_MS : 0, deps);
  // These errors do not go away on their own, and every further target would hit them too.
  const isForGood = !error.retryable && error.code !== "conflict";
  if (!isForGood && !SHORT_OF_MONEY.includes(error.code)) return;
  await deps.database.db.transaction().execute(async (trx) => {
    const row = await lockCampaign(trx, campaignId);
    if (row) await stepCampaign(trx, row, { step: "pause", reason: error.message, at });
  });
}
