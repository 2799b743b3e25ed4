import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { addJob } from "../../jobs/queue.ts";
import { raiseOrgEvent } from "../../webhooks/raise-org-event.ts";
import type { BillingEvent } from "./billing-event.ts";
import { mailOf } from "./mails.ts";
import { TELL_OWNERS } from "./tell-owners.ts";

/** Raises an event in the transaction in which it happens, and has the owners mailed if they have to know or to act. */
export async function raiseBillingEvent(
  trx: Kysely<Tables>,
  about: { readonly orgId: string; readonly at: Date; readonly event: BillingEvent },
): Promise<void> {
  await raiseOrgEvent(trx, about);
  const { orgId, at, event } = about;
  const mail = mailOf(event);
  if (mail) await addJob(trx, TELL_OWNERS, { payload: mail, orgId }, at);
}
