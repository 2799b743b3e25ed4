import type { Outcome } from "@parley/shared/contracts/campaign-states.ts";
import type { CampaignSettings } from "@parley/shared/contracts/campaigns.ts";
import type { WhatsAppSettings } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { findOwnChannel } from "../../messaging/channels/channel-store.ts";
import type { MessagingDeps } from "../../messaging/deps.ts";
import { mayWrite } from "../../messaging/opt-out/may-write.ts";
import { isStopped } from "../../messaging/opt-out/note-preference.ts";
import { admitTemplates } from "../../messaging/outbound/admit-templates.ts";
import { queueMessage } from "../../messaging/outbound/queue-message.ts";
import { lockContacts, lockThreadOf } from "../../messaging/threads/thread-store.ts";
import { type CampaignRow, findActive, lockCampaign, stepCampaign } from "../campaigns/campaign-row.ts";
import { findBlocked } from "../do-not-call/store.ts";
import { giveBack, settleAttempt } from "../runner/attempts.ts";
import { type Stop, stopOf } from "../runner/conditions.ts";
import { type Dealt, dealTargets } from "../runner/deal.ts";
import type { RunnerDeps } from "../runner/run-campaigns.ts";
import { filledTemplate, missingIn } from "./filled-template.ts";
import { errorIn } from "./message-error.ts";
import { whatsAppSettingsOf } from "./whatsapp-campaigns.ts";

export interface WhatsAppRunnerDeps extends RunnerDeps {
  readonly secrets: SecretBox;
  readonly admitMessages: MessagingDeps["admitMessages"];
}

type Trx = Kysely<Tables>;

/** Messages are never resent: a duplicate annoys more than a missing message. */
const NEVER = { times: 0, afterMinutes: 1 };
const RULES: Pick<CampaignSettings, "retries"> = {
  retries: { no_answer: NEVER, busy: NEVER, voicemail: NEVER, failed: NEVER },
};
/** Outcome by message status, once the provider has accepted or refused the message. */
const OUTCOME_BY_STATUS: Readonly<Record<string, Outcome>> = {
  sent: "sent",
  delivered: "sent",
  read: "sent",
  played: "sent",
  failed: "failed",
  unknown: "failed",
};

/** Runs one round of all WhatsApp campaigns, as `runCampaigns` does for calls. */
export async function runWhatsAppCampaigns(signal: AbortSignal, deps: WhatsAppRunnerDeps): Promise<void> {
  const { database, log, queue } = deps;
  const active = await findActive(database.db, "whatsapp");
  for (const id of active) {
    if (signal.aborted) break;
    try {
      await runWhatsAppCampaign(id, deps);
    } catch (error) {
      log.warn(
        { event: "campaign_round_failed", campaignId: id, err: messageOf(error) },
        "failed to go on with a campaign, trying again in its next round",
      );
    }
  }
  if (active.length > 0) queue.announce();
}

/** One round of one campaign. */
export async function runWhatsAppCampaign(id: string, deps: WhatsAppRunnerDeps): Promise<void> {
  const now = new Date(deps.clock.wallMs());
  await deps.database.db.transaction().execute(async (trx) => {
    const before = await lockCampaign(trx, id);
    if (!before) return;
    await settleSent(trx, id, now);
    const campaign = (await lockCampaign(trx, id)) ?? before;
    if (campaign.status !== "running") return;
    const settings = whatsAppSettingsOf(campaign);
    const stop = await stopFor(trx, campaign, { settings, now });
    if (stop) {
      await stepCampaign(trx, campaign, { ...stop, at: now });
      return;
    }
    // Only the pace limits a WhatsApp campaign: WhatsApp accepts messages in milliseconds.
    const pace = {
      hours: settings.hours,
      callsPerMinute: settings.messagesPerMinute,
      maxLive: Number.MAX_SAFE_INTEGER,
    };
    const dealt: Dealt[] = [];
    const begin = async (one: Dealt) => dealt.push(one);
    await dealTargets(trx, campaign, { settings: pace, now, begin });
    await writeToAll(trx, dealt, { campaign, settings, now, deps });
  });
}

async function stopFor(
  trx: Trx,
  campaign: CampaignRow,
  { settings, now }: { readonly settings: WhatsAppSettings; readonly now: Date },
): Promise<Stop | undefined> {
  const { org_id: orgId } = campaign;
  try {
    await findOwnChannel(trx, { orgId, provider: "whatsapp", id: settings.channelId });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { step: "pause", reason: "Its WhatsApp number is no longer connected." };
  }
  const { endsAt, pauseAfterFailures } = settings;
  const bounds = {
    endsAt,
    pauseAfterFailures,
    stopAfterAnswered: null,
    budgetMinutes: null,
    budgetUsd: null,
  };
  return stopOf(trx, campaign, { settings: bounds, now });
}

interface Writing {
  readonly campaign: CampaignRow;
  readonly settings: WhatsAppSettings;
  readonly now: Date;
  readonly deps: WhatsAppRunnerDeps;
}

/**
 * Writes to as many as may be written to; if not to all, the rest wait and the campaign pauses. Locks all of their
 * conversations first, and begins new ones in the order of their numbers, so that campaigns to the same people wait for
 * each other.
 */
async function writeToAll(trx: Trx, dealt: readonly Dealt[], writing: Writing): Promise<void> {
  if (dealt.length === 0) return;
  const { campaign, settings, now, deps } = writing;
  const { org_id: orgId, created_by: by } = campaign;
  const phones = dealt.map(({ target }) => target.phone);
  const blocked = await findBlocked(trx, orgId, phones);
  // Whoever is not written to costs nothing, and takes nobody's place.
  const [paid, free] = partition(
    dealt,
    ({ target }) =>
      !blocked.has(target.phone) && missingIn(settings.template, target.variables) === undefined,
  );
  const about = { orgId, keyId: isKey(by) ? by : "", at: now, messages: paid.length };
  const asking = { id: campaign.id, budgetUsd: settings.budgetUsd };
  const { admitted, refusal } = await admitTemplates(trx, { ...about, campaign: asking }, deps);
  const some = [...free, ...paid.slice(0, admitted)].toSorted((a, b) =>
    a.target.phone < b.target.phone ? -1 : 1,
  );
  await lockContacts(trx, settings.channelId, { phones: some.map(({ target }) => target.phone) });
  for (const one of some) await writeTo(trx, one, writing);
  for (const { attemptId, target } of paid.slice(admitted))
    await giveBack(trx, { attemptId, targetId: target.id, dueAt: now });
  if (refusal) await stepCampaign(trx, campaign, { step: "pause", reason: refusal.message, at: now });
}

/** Queues the message and links it to the attempt atomically, in the transaction that deals the target. */
async function writeTo(
  trx: Trx,
  { attemptId, target }: Dealt,
  { campaign, settings: { channelId, template }, now, deps }: Writing,
): Promise<void> {
  const { org_id: orgId, created_by: by } = campaign;
  const about = { attemptId, targetId: target.id, campaignId: campaign.id, endedAt: now };
  if ((await findBlocked(trx, orgId, [target.phone])).size > 0)
    return settleAttempt(trx, { ...about, outcome: "do_not_call" }, RULES);
  const missing = missingIn(template, target.variables);
  if (missing !== undefined) {
    const error = `It has no ${missing}, which the template needs.`;
    return settleAttempt(trx, { ...about, outcome: "failed", error }, RULES);
  }
  const channel = await findOwnChannel(trx, { orgId, provider: "whatsapp", id: channelId });
  const contact = { phone: target.phone, userId: null, name: null };
  const thread = await lockThreadOf(trx, { orgId, channelId, contact, at: now, secrets: deps.secrets });
  const author = {
    author: isKey(by) ? "key" : "member",
    author_id: by,
    session_id: thread.session_id,
    campaign_id: campaign.id,
  } as const;
  const payload = { type: "template", template: filledTemplate(template, target.variables) };
  const message = { type: "template", body: template.name, payload };
  if (!(await mayWrite(trx, thread, "begin")))
    return settleAttempt(trx, { ...about, outcome: "do_not_call" }, RULES);
  const messageId = await queueMessage(trx, message, { thread, channel, author, at: now }, deps);
  await trx
    .updateTable("campaign_attempts")
    .set({ message_id: messageId, dialed_at: now })
    .where("id", "=", attemptId)
    .execute();
}

const isKey = (createdBy: string): boolean => createdBy.startsWith("key_");

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** Undefined while the provider has not answered. */
function outcomeOf(status: string | null, errors: readonly object[] | null): Outcome | undefined {
  // The conversation was deleted, so no status will ever arrive.
  if (status === null) return "failed";
  const outcome = OUTCOME_BY_STATUS[status];
  return outcome === "failed" && errors?.some(isStopped) ? "do_not_call" : outcome;
}

async function settleSent(trx: Trx, campaignId: string, now: Date): Promise<void> {
  const sent = await trx
    .selectFrom("campaign_attempts as a")
    .leftJoin("messaging_messages as m", "m.id", "a.message_id")
    .select(["a.id as attemptId", "a.target_id as targetId", "m.status", "m.errors"])
    .where("a.campaign_id", "=", campaignId)
    .where("a.settled_at", "is", null)
    .execute();
  for (const { attemptId, targetId, status, errors } of sent) {
    const outcome = outcomeOf(status, errors);
    if (outcome === undefined) continue;
    const ended = { attemptId, targetId, campaignId, outcome, error: errorIn(errors), endedAt: now };
    await settleAttempt(trx, ended, RULES);
  }
}
