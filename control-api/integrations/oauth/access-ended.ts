import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../../database/open.ts";
import type { Messenger } from "../../identity/notifications/messenger.ts";
import { mailOwners } from "../../identity/notifications/owners.ts";
import { accessEndedMessage } from "../../identity/notifications/texts.ts";
import type { GrantRef } from "./grant-store.ts";

export interface AccessEndedDeps {
  readonly database: Database;
  readonly messenger: Pick<Messenger, "post">;
  readonly baseUrl: () => string;
  readonly log: Logger;
}

/**
 * Tells the owners of a connection that its access ended, so that callers are not the first to notice. `labelOf` gives
 * the connection's name; undefined: there is nothing to tell. Never rejects.
 */
export async function tellOwners(
  { orgId, id, lastError }: GrantRef & { readonly lastError: string },
  labelOf: () => Promise<string | undefined>,
  { database, messenger, baseUrl, log }: AccessEndedDeps,
): Promise<void> {
  log.warn({ event: "access_ended", connectionId: id }, "a connection has to be signed in to again");
  try {
    const label = await labelOf();
    if (label === undefined) return;
    const message = (email: string) => accessEndedMessage(email, { label, lastError, link: baseUrl() });
    await mailOwners({ orgId, message }, { database, messenger });
  } catch (error) {
    log.warn(
      { event: "access_owners_not_notified", err: messageOf(error) },
      "failed to notify the owners of a connection",
    );
  }
}
