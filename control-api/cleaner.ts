import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { deleteOldResets } from "./accounts/reset-store.ts";
import { deleteOldClientTokens } from "./client-tokens/store.ts";
import { deleteOldCodes } from "./codes/store.ts";
import { deleteOldIdempotent } from "./idempotency/store.ts";
import { deleteOldCounts } from "./limits/store.ts";
import { deleteOldPending } from "./mfa/store.ts";
import { deleteOldFlows } from "./oidc/store.ts";
import { deleteOldSessions } from "./tokens/session-store.ts";

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
