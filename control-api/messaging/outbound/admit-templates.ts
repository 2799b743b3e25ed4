import type { Admission } from "@parley/shared/contracts/billing.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MessagingDeps } from "../deps.ts";

interface Templates {
  readonly orgId: string;
  /** Empty for people and campaigns. */
  readonly keyId: string;
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
  const { orgId, keyId } = templates;
  const waiting = () => countWaiting(trx, orgId, keyId);
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

/** Templates that are queued and not yet counted as usage; `key` has those of the key. */
async function countWaiting(
  trx: Kysely<Tables>,
  orgId: string,
  keyId: string,
): Promise<{ readonly organization: number; readonly key: number }> {
  const { organization, key } = await trx
    .selectFrom("messaging_messages")
    .select([
      sql<number>`count(*)::int`.as("organization"),
      sql<number>`(count(*) filter (where author = 'key' and author_id = ${keyId}))::int`.as("key"),
    ])
    .where("org_id", "=", orgId)
    .where("type", "=", "template")
    .where("status", "in", ["queued", "sending"])
    .executeTakeFirstOrThrow();
  return { organization, key };
}
