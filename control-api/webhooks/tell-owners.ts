import type { Database } from "../database/open.ts";
import type { Messenger } from "../identity/notifications/messenger.ts";
import { mailOwners } from "../identity/notifications/owners.ts";
import { webhookFailureMessage } from "../identity/notifications/texts.ts";
import type { DeliveryFailure } from "./result-writer.ts";

export interface OwnersDeps {
  readonly database: Database;
  readonly messenger: Messenger;
  readonly baseUrl: () => string;
}

/** Mails an organization's owners when an endpoint is disabled or keeps failing: never fails silently. */
export async function tellOwners(
  failure: DeliveryFailure,
  { database, messenger, baseUrl }: OwnersDeps,
): Promise<void> {
  const message = (email: string) => webhookFailureMessage(email, { ...failure, link: baseUrl() });
  await mailOwners({ orgId: failure.orgId, message }, { database, messenger });
}
