import type { Admission, CampaignToAdmit, WaitingMessages } from "@parley/shared/contracts/billing.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MessagingDeps } from "../deps.ts";

const DOUBT_MS = 3_600_000;

interface Templates {
  readonly orgId: string;
  /** Empty for people. */
  readonly keyId: string;
  readonly campaign?: CampaignToAdmit;
  readonly at: Date;
  /** How many are about to be queued. */
  readonly messages: number;
}

/**
 * How many of these templates the organization can pay for. Asked before their conversations are locked: transactions
 * that ask wait for each other.
 */
export function admitTemplates(
  trx: Kysely<Tables>,
  templates: Templates,
  { admitMessages }: Pick<MessagingDeps, "admitMessages">,
): Promise<Admission> {
  const waiting = () => countWaiting(trx, templates);
  return admitMessages(trx, { ...templates, channel: "whatsapp", waiting });
}

/** As `admitTemplates` for one. Throws `AppError` payment_required, spending_limit_reached. */
export async function admitTemplate(
  trx: Kysely<Tables>,
  template: Omit<Templates, "messages">,
  deps: Pick<MessagingDeps, "admitMessages">,
): Promise<void> {
  const { refusal } = await admitTemplates(trx, { ...template, messages: 1 }, deps);
  if (refusal) throw refusal;
}

/**
 * Templates that are queued and not yet counted as usage. One whose fate is unknown counts for an hour: a status that
 * says it was taken mostly comes within seconds.
 */
async function countWaiting(
  trx: Kysely<Tables>,
  { orgId, keyId, campaign, at }: Templates,
): Promise<WaitingMessages> {
  const doubted = new Date(at.getTime() - DOUBT_MS);
  return trx
    .selectFrom("messaging_messages")
    .select([
      sql<number>`count(*)::int`.as("organization"),
      sql<number>`(count(*) filter (where author = 'key' and author_id = ${keyId}))::int`.as("key"),
      sql<number>`(count(*) filter (where campaign_id = ${campaign?.id ?? null}))::int`.as("campaign"),
    ])
    .where("org_id", "=", orgId)
    .where("type", "=", "template")
    .where("status", "in", ["queued", "sending", "unknown"])
    .where((is) => is.or([is("status", "<>", "unknown"), is("created_at", ">", doubted)]))
    .executeTakeFirstOrThrow();
}
