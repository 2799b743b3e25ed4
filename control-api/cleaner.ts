import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { deleteOldClientTokens } from "./agents/client-tokens/store.ts";
import type { Database } from "./database/open.ts";
import { deleteOldIdempotent } from "./http/idempotency/store.ts";
import { deleteOldCounts } from "./http/limits/store.ts";
import { deleteOldResets } from "./identity/accounts/reset-store.ts";
import { deleteOldCodes } from "./identity/codes/store.ts";
import { deleteOldPending } from "./identity/mfa/store.ts";
import { deleteOldFlows } from "./identity/oidc/store.ts";
import { deleteOldSessions } from "./identity/tokens/session-store.ts";

const EVERY_MS = 10 * 60_000;
/** Kept for a day after it ended, for whoever looks into what happened. */
const KEEP_MS = 86_400_000;

const DELETIONS = [
  deleteOldSessions,
  deleteOldCodes,
  deleteOldResets,
  deleteOldPending,
  deleteOldFlows,
  deleteOldCounts,
  deleteOldClientTokens,
  deleteOldIdempotent,
];

/** Deletes credentials that are long over, so that their tables stay small. */
export class Cleaner {
  readonly #deps: { readonly database: Database; readonly clock: Clock; readonly log: Logger };
  readonly stop: () => void;

  constructor(deps: { readonly database: Database; readonly clock: Clock; readonly log: Logger }) {
    this.#deps = deps;
    this.stop = deps.clock.every(EVERY_MS, () => void this.clean());
  }

  async clean(): Promise<void> {
    const { database, clock, log } = this.#deps;
    const before = new Date(clock.wallMs() - KEEP_MS);
    for (const deleteOld of DELETIONS) {
      await deleteOld(database, before).catch((error: unknown) => {
        log.warn(
          { event: "credentials_cleanup_failed", err: messageOf(error) },
          "failed to delete old credentials",
        );
      });
    }
  }
}
