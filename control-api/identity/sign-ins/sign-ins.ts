import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import type { Tokens } from "@parley/shared/contracts/accounts.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../database/open.ts";
import type { AccessChanges } from "../../http/access/access-changes.ts";
import type { Client } from "../../http/plugins/client.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { Audit } from "../audit/audit.ts";
import type { AccessTokens } from "./access-tokens.ts";
import {
  findSessionStart,
  insertSession,
  isStill,
  lockRefreshToken,
  replaceRefreshToken,
  revokeSessions,
} from "./session-store.ts";

/** A sign-in ends if its refresh token is unused for this long … */
export const IDLE_MS = 30 * 86_400_000;
/** … and at the latest after this long. */
const ABSOLUTE_MS = 90 * 86_400_000;
/** How long after it begins a sign-in may do what would lock its owner out. */
const FRESH_MS = 15 * 60_000;
/** A retry within this time gets the same successor: two tabs, or a lost answer, must not sign a user out. */
const GRACE_MS = 10_000;
const REFRESH_TOKEN_BYTES = 32;
const REFRESH_TOKEN_PREFIX = "parley_rt_";

interface Which {
  readonly reason: string;
  readonly only?: string | undefined;
  readonly except?: string | undefined;
}

/** An account's state when its holder was verified. */
export interface Verified {
  readonly userId: string;
  readonly passwordHash: string | null;
  readonly mfaEnabled: boolean;
}

export type SignInMethod = "password" | "code" | "oidc" | "register";

export interface SignInsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly accessTokens: AccessTokens;
  readonly changes: AccessChanges;
  readonly audit: Audit;
}

type Refreshed =
  | {
      readonly kind: "refreshed";
      readonly userId: string;
      readonly sessionId: string;
      readonly token: string;
      readonly expiresAt: Date;
    }
  | { readonly kind: "reused"; readonly userId: string; readonly sessionId: string }
  | { readonly kind: "refused" };

/** Begins, refreshes and ends sign-ins; each is a family of refresh tokens. */
export class SignIns {
  readonly #deps: SignInsDeps;

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
  }

  /** Returns undefined if the account changed since verification: the sign-in would outlive its own revocation. */
  async begin(
    { userId, ...verified }: Verified,
    method: SignInMethod,
    client: Client,
  ): Promise<Tokens | undefined> {
    const { database, clock, audit } = this.#deps;
    const nowMs = clock.wallMs();
    const at = new Date(nowMs);
    const sessionId = newId("sid");
    const token = newRefreshToken();
    const expiresAt = new Date(nowMs + IDLE_MS);
    const isBegun = await database.db.transaction().execute(async (trx) => {
      if (!(await isStill(trx, userId, verified))) return false;
      const session = { id: sessionId, userId, method, ...client, at };
      await insertSession(
        trx,
        { ...session, expiresAt: new Date(nowMs + ABSOLUTE_MS) },
        { hash: sha256Hex(token), sessionId, at, expiresAt },
      );
      return true;
    });
    if (!isBegun) return undefined;
    await audit.write({ action: "auth.sign_in", userId, client, details: { method, sessionId } });
    return this.#pair({ userId, sessionId, token, expiresAt });
  }

  /**
   * Exchanges a refresh token for a new pair, in one transaction. Reuse after the grace period means that one of its
   * two holders stole it: the whole sign-in ends. Throws `AppError` token_invalid.
   */
  async refresh(
    refreshToken: string,
    client: Client,
  ): Promise<{ readonly userId: string; readonly tokens: Tokens }> {
    const { database, changes, audit } = this.#deps;
    if (!refreshToken.startsWith(REFRESH_TOKEN_PREFIX)) {
      throw new AppError("token_invalid", "This is not a refresh token; send the refreshToken of a sign-in.");
    }
    const refreshed = await database.db
      .transaction()
      .execute((trx) => this.#rotate(trx, sha256Hex(refreshToken)));
    if (refreshed.kind === "refreshed")
      return { userId: refreshed.userId, tokens: await this.#pair(refreshed) };
    if (refreshed.kind === "reused") {
      const { userId, sessionId } = refreshed;
      await changes.announce({ sessionId });
      await audit.write({
        action: "auth.refresh_reused",
        outcome: "failure",
        userId,
        client,
        details: { sessionId },
      });
    }
    throw new AppError("token_invalid", "The refresh token is used, revoked or unknown; sign in again.");
  }

  /** Whether the sign-in began just now. */
  async isFresh(sessionId: string): Promise<boolean> {
    const { database, clock } = this.#deps;
    const createdAt = await findSessionStart(database, sessionId);
    return createdAt !== undefined && clock.wallMs() - createdAt.getTime() < FRESH_MS;
  }

  /** Ends sign-ins of a user: one, all but one, or all. Returns how many. */
  async end(userId: string, which: Which): Promise<number> {
    const ended = await this.endIn(this.#deps.database.db, userId, which);
    await this.tellEnded(ended);
    return ended.length;
  }

  /** Like `end`, within the transaction that requires it; call `tellEnded` after its commit. */
  async endIn(trx: Database["db"], userId: string, which: Which): Promise<string[]> {
    return revokeSessions(trx, userId, { ...which, at: new Date(this.#deps.clock.wallMs()) });
  }

  async tellEnded(sessionIds: readonly string[]): Promise<void> {
    await Promise.all(sessionIds.map((sessionId) => this.#deps.changes.announce({ sessionId })));
  }

  async #rotate(trx: Database["db"], hash: string): Promise<Refreshed> {
    const nowMs = this.#deps.clock.wallMs();
    const found = await lockRefreshToken(trx, hash);
    if (!found || found.revokedAt !== null || found.userStatus !== "active") return { kind: "refused" };
    const { userId, sessionId, sessionExpiresAt } = found;
    if (Math.min(found.expiresAt.getTime(), sessionExpiresAt.getTime()) <= nowMs) return { kind: "refused" };
    const expiresAt = new Date(Math.min(nowMs + IDLE_MS, sessionExpiresAt.getTime()));
    if (found.usedAt !== null && found.successorSealed !== null) {
      if (nowMs - found.usedAt.getTime() > GRACE_MS) {
        await revokeSessions(trx, userId, { only: sessionId, reason: "refresh_reused", at: new Date(nowMs) });
        return { kind: "reused", userId, sessionId };
      }
      const token = this.#deps.secrets.open(found.successorSealed, SEAL_CONTEXT.refreshToken(hash));
      return { kind: "refreshed", userId, sessionId, token, expiresAt };
    }
    const token = newRefreshToken();
    const successor = { hash: sha256Hex(token), sessionId, at: new Date(nowMs), expiresAt };
    const successorSealed = this.#deps.secrets.seal(token, SEAL_CONTEXT.refreshToken(hash));
    await replaceRefreshToken(trx, hash, { successor, successorSealed });
    return { kind: "refreshed", userId, sessionId, token, expiresAt };
  }

  async #pair(of: { userId: string; sessionId: string; token: string; expiresAt: Date }): Promise<Tokens> {
    const access = await this.#deps.accessTokens.sign(of);
    return {
      accessToken: access.token,
      refreshToken: of.token,
      accessTokenExpiresAt: toTimestamp(access.expiresAtMs),
      refreshTokenExpiresAt: of.expiresAt.toISOString(),
    };
  }
}

function newRefreshToken(): string {
  return `${REFRESH_TOKEN_PREFIX}${randomToken(REFRESH_TOKEN_BYTES)}`;
}
