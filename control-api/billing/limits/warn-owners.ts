import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { Messenger } from "../../identity/notifications/messenger.ts";
import { mailOwners } from "../../identity/notifications/owners.ts";
import { spendingLimitMessage } from "../../identity/notifications/texts.ts";
import { handles, type JobHandler, type JobKind } from "../../jobs/job-kind.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { CURRENCY, toDecimal } from "../money.ts";
import { listLimits, type SpendingLimit } from "./store.ts";

const WARN_OWNERS: JobKind<{ readonly limitId: string }> = {
  name: "warn_of_spending",
  payload: z.object({ limitId: z.string() }),
};

export interface WarnOwnersDeps {
  readonly database: Database;
  readonly messenger: Pick<Messenger, "post">;
  readonly baseUrl: () => string;
}

export async function addWarnings(
  trx: Kysely<Tables>,
  queue: JobQueue,
  { orgId, limits }: { readonly orgId: string; readonly limits: readonly SpendingLimit[] },
): Promise<void> {
  for (const { id } of limits) await queue.add(trx, WARN_OWNERS, { payload: { limitId: id }, orgId });
}

/** Mails an organization's owners that a soft limit is reached; calls continue. */
export function warnsOwners({ database, messenger, baseUrl }: WarnOwnersDeps): JobHandler {
  return handles(WARN_OWNERS, async ({ payload: { limitId }, orgId }) => {
    if (orgId === null) return undefined;
    const limit = (await listLimits(database.db, orgId)).find(({ id }) => id === limitId);
    if (!limit) return undefined;
    const amount = `${toDecimal(limit.amount)} ${CURRENCY}`;
    const about = { scope: limit.scope, amount, period: limit.period, link: baseUrl() };
    const message = (email: string) => spendingLimitMessage(email, about);
    await mailOwners({ orgId, message }, { database, messenger });
    return undefined;
  });
}
