import { z } from "zod";
import type { Database } from "../../database/open.ts";
import { findOrganization } from "../../identity/memberships/store.ts";
import type { Messenger } from "../../identity/notifications/messenger.ts";
import { mailOwners } from "../../identity/notifications/owners.ts";
import { billingMessage } from "../../identity/notifications/texts.ts";
import { handles, type JobHandler, type JobKind } from "../../jobs/job-kind.ts";
import type { BillingMail } from "./mails.ts";

/** Mails an organization's owners. */
export const TELL_OWNERS: JobKind<BillingMail> = {
  name: "tell_owners_of_billing",
  payload: z.object({ subject: z.string(), text: z.string() }),
};

export interface TellOwnersDeps {
  readonly database: Database;
  readonly messenger: Pick<Messenger, "post">;
  readonly baseUrl: () => string;
}

export function tellsOwners({ database, messenger, baseUrl }: TellOwnersDeps): JobHandler {
  return handles(TELL_OWNERS, async ({ payload, orgId }) => {
    const org = orgId === null ? undefined : await findOrganization(database, orgId);
    if (!org || orgId === null) return undefined;
    const about = { ...payload, orgName: org.name, link: baseUrl() };
    await mailOwners({ orgId, message: (email) => billingMessage(email, about) }, { database, messenger });
    return undefined;
  });
}
