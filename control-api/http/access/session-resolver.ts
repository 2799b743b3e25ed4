import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import type { AccessChanges } from "./access-changes.ts";
import { PrincipalCache } from "./principal-cache.ts";
import { findLiveSession, type LiveSession } from "./session-store.ts";

/** Identifies the owner of an access token. Throws `AppError` token_expired, token_invalid. */
interface TokenVerifier {
  verify(
    accessToken: string,
    expired: "refused" | "accepted",
  ): Promise<{ readonly userId: string; readonly sessionId: string }>;
}

export interface SessionResolverDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly accessTokens: TokenVerifier;
  readonly changes: AccessChanges;
  readonly cacheTtlMs?: number | undefined;
}

/** Resolves an access token to its sign-in. */
export class SessionResolver {
  readonly #deps: SessionResolverDeps;
  readonly #cache: PrincipalCache<LiveSession>;

  constructor(deps: SessionResolverDeps) {
    this.#deps = deps;
    this.#cache = new PrincipalCache(deps.clock, deps.cacheTtlMs);
    deps.changes.onChange((change) => {
      if ("sessionId" in change) this.#cache.forget(({ sessionId }) => sessionId === change.sessionId);
      if ("userId" in change) this.#cache.forget(({ userId }) => userId === change.userId);
    });
  }

  /** Throws `AppError` token_expired or token_invalid. */
  async resolve(accessToken: string, expired: "refused" | "accepted" = "refused"): Promise<LiveSession> {
    const { sessionId, userId } = await this.#deps.accessTokens.verify(accessToken, expired);
    const { database, clock } = this.#deps;
    const session = await this.#cache.get(sessionId, () =>
      findLiveSession(database, sessionId, new Date(clock.wallMs())),
    );
    if (session?.userId !== userId) {
      throw new AppError("token_invalid", "This session has ended. Sign in again.");
    }
    return session;
  }
}
