import type { Clock } from "@parley/shared/clock.ts";
import type { OAuthClientConfig } from "@parley/shared/config/oauth-clients.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import { OrgMap } from "@parley/shared/org-map.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import {
  findGrant,
  type GrantRef,
  markDead,
  putGrant,
  renewGrant,
  type StoredGrant,
  takeGrant,
} from "./grant-store.ts";
import { revoke } from "./revoke.ts";
import { type Grant, openGrant, type SealedGrantsDeps, sealGrant } from "./sealed-grants.ts";
import { DeadGrant, requestTokens, type TokenEndpoint, type Tokens } from "./token-request.ts";

/** Renews a token this long before it expires, or in the last tenth of its lifetime if that is shorter. */
const AHEAD_MS = 120_000;
/** Concurrent renewals per process: each holds a database connection. */
const MAX_RENEWALS = 3;
/** The longest wait for a renewal while the old token is still valid. */
const AHEAD_WAIT_MS = 1_000;
/** Pause after a renewal failed temporarily. */
const PAUSE_MS = 5_000;
const PAUSES = { perOrg: 200, orgs: 10_000 };

/** The access ended, and a new sign-in is needed; the message tells the agent's builder. */
export class NeedsSignIn extends AppError {
  constructor(message: string) {
    super("conflict", message, { retryable: false });
  }
}

export interface GrantsDeps extends SealedGrantsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly dispatchers: Dispatchers;
  /** The operator's current clients: a secret changed there applies to earlier grants as well. */
  readonly oauthClients?: readonly OAuthClientConfig[];
  /** Called once when a grant turns out to have ended. Must not throw. */
  readonly onDead: (grant: GrantRef, lastError: string) => void;
}

/** Access granted at vendors: always a valid token, renewed once however many callers need it. */
export class Grants {
  readonly #deps: GrantsDeps;
  /** Renewals in flight in this process. */
  readonly #renewals = new Map<string, Promise<string>>();
  readonly #waiting: (() => void)[] = [];
  readonly #pauses = new OrgMap<{ readonly untilMs: number; readonly error: unknown }>(PAUSES);
  #running = 0;

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  /** Stores a consent's tokens, optionally in the caller's transaction. Reconnecting keeps the id. */
  async put(
    ref: GrantRef,
    endpoint: TokenEndpoint,
    tokens: Tokens,
    db: Kysely<Tables> = this.#deps.database.db,
  ): Promise<void> {
    const grant = { ...endpoint, access: tokens.access, refresh: tokens.refresh, scope: tokens.scope };
    await putGrant(db, { ...ref, ...(await this.#stateOf(db, ref, grant, tokens.expiresInSecs)) });
    this.#pauses.delete(ref.orgId, ref.id);
  }

  /** A valid token. Throws `NeedsSignIn`, and `AppError` vendor_failed when it expired and cannot be renewed yet. */
  async accessToken(ref: GrantRef): Promise<string> {
    const { database, clock } = this.#deps;
    const row = await findGrant(database.db, ref, { lock: false });
    const grant = await this.#open(database.db, ref, row);
    if (!this.#isDue(row)) return grant.access;
    const isOver = () => row?.expires_at && row.expires_at.getTime() <= clock.wallMs();
    const renewal = this.#renewOnce(ref, grant.access);
    try {
      return await (isOver() ? renewal : this.#orSoon(renewal, grant.access));
    } catch (error) {
      // Before its expiry the old token still works.
      if (error instanceof NeedsSignIn || isOver()) throw error;
      return grant.access;
    }
  }

  /** The granted scope, if the vendor names it. Throws `NeedsSignIn`. */
  async scopeOf(ref: GrantRef): Promise<string | null> {
    const { db } = this.#deps.database;
    const { scope } = await this.#open(db, ref, await findGrant(db, ref, { lock: false }));
    return scope;
  }

  /** A different token than the refused one. Throws as `accessToken`. */
  renewed(ref: GrantRef, refused: string): Promise<string> {
    return this.#renewOnce(ref, refused);
  }

  /** Deletes the grant in a transaction. After it, call the result to tell the vendor; it never rejects. */
  async forget(ref: GrantRef, db: Kysely<Tables>): Promise<(() => Promise<void>) | undefined> {
    const row = await takeGrant(db, ref);
    return row && (() => this.#tellVendor(ref, () => this.#opened(this.#deps.database.db, row)));
  }

  /** Gives unneeded tokens back. Never rejects. */
  async giveBack(ref: GrantRef, endpoint: TokenEndpoint, tokens: Tokens): Promise<void> {
    await this.#tellVendor(ref, async () => ({ ...endpoint, ...tokens }));
  }

  async #tellVendor(ref: GrantRef, open: () => Promise<Grant>): Promise<void> {
    const { dispatchers, log } = this.#deps;
    try {
      const grant = await open();
      await revoke(grant, grant, dispatchers.of(ref.orgId));
    } catch (error) {
      log.warn(
        { event: "grant_not_revoked", connectionId: ref.id, err: messageOf(error) },
        "failed to revoke a token at its vendor",
      );
    }
  }

  #renewOnce(ref: GrantRef, seen: string): Promise<string> {
    const key = JSON.stringify([ref.orgId, ref.id]);
    const inFlight = this.#renewals.get(key);
    if (inFlight !== undefined) return inFlight;
    const renewal = this.#inTurn(() => this.#renewUnlessPaused(ref, seen));
    const settled = renewal.finally(() => this.#renewals.delete(key));
    this.#renewals.set(key, settled);
    return settled;
  }

  /** Keeps calls that need a token from hammering a failing vendor. */
  async #renewUnlessPaused(ref: GrantRef, seen: string): Promise<string> {
    const { clock } = this.#deps;
    const pause = this.#pauses.get(ref.orgId, ref.id);
    if (pause && clock.monotonicMs() < pause.untilMs) throw pause.error;
    try {
      const access = await this.#renew(ref, seen);
      this.#pauses.delete(ref.orgId, ref.id);
      return access;
    } catch (error) {
      if (error instanceof AppError && error.code === "vendor_failed")
        this.#pauses.set(ref.orgId, ref.id, { untilMs: clock.monotonicMs() + PAUSE_MS, error });
      throw error;
    }
  }

  /** The old token if the renewal is slow, as a caller is waiting. */
  #orSoon(renewal: Promise<string>, old: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const cancel = this.#deps.clock.after(AHEAD_WAIT_MS, () => resolve(old));
      renewal.then(resolve, reject).finally(cancel);
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < MAX_RENEWALS) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place is passed on, so that no newcomer takes it before the one who waits.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Serializes processes by a row lock; the embedded database has one process, whose other queries must not wait. */
  async #renew(ref: GrantRef, seen: string): Promise<string> {
    const { database } = this.#deps;
    const renewed =
      database.kind === "pglite"
        ? await this.#renewIn(database.db, ref, seen)
        : await database.db.transaction().execute((trx) => this.#renewIn(trx, ref, seen));
    if (typeof renewed === "string") return renewed;
    if (renewed.isNew) this.#deps.onDead(ref, renewed.lastError);
    throw new NeedsSignIn(renewed.lastError);
  }

  async #renewIn(
    db: Kysely<Tables>,
    ref: GrantRef,
    seen: string,
  ): Promise<string | { lastError: string; isNew: boolean }> {
    const row = await findGrant(db, ref, { lock: true });
    const grant = await this.#open(db, ref, row);
    if (!row || (grant.access !== seen && !this.#isDue(row))) return grant.access;
    try {
      if (grant.refresh === null) throw new DeadGrant("no_refresh_token");
      const scope = grant.scope === null ? {} : { scope: grant.scope };
      // Some vendors issue no token without the scope.
      const form = { grant_type: "refresh_token", refresh_token: grant.refresh, ...scope };
      const tokens = await requestTokens(grant, form, this.#deps.dispatchers.of(ref.orgId));
      const next = {
        ...grant,
        access: tokens.access,
        refresh: tokens.refresh ?? grant.refresh,
        // A grant stored without a scope stays without one.
        scope: grant.scope === null ? null : (tokens.scope ?? grant.scope),
      };
      const state = await this.#stateOf(db, ref, next, tokens.expiresInSecs);
      await renewGrant(db, { ...ref, version: row.version, ...state });
      return tokens.access;
    } catch (error) {
      if (!(error instanceof DeadGrant)) throw error;
      const lastError = sentenceOf(error);
      const at = new Date(this.#deps.clock.wallMs());
      const isNew = await markDead(db, { ...ref, version: row.version, lastError, at });
      return { lastError, isNew };
    }
  }

  #isDue(row: StoredGrant | undefined): boolean {
    return row?.refresh_at ? row.refresh_at.getTime() <= this.#deps.clock.wallMs() : false;
  }

  async #open(db: Kysely<Tables>, ref: GrantRef, row: StoredGrant | undefined): Promise<Grant> {
    if (!row || row.org_id !== ref.orgId) throw new NeedsSignIn("Nobody has signed in there yet; sign in.");
    if (row.status === "error") throw new NeedsSignIn(row.last_error ?? "Sign in again.");
    return this.#opened(db, row);
  }

  async #opened(db: Kysely<Tables>, row: StoredGrant): Promise<Grant> {
    const { oauthClients = [] } = this.#deps;
    const grant = await openGrant(db, row, this.#deps);
    const { client } = grant;
    const secret = oauthClients.find(({ clientId }) => clientId === client.id)?.clientSecret ?? client.secret;
    return { ...grant, client: { ...client, secret } };
  }

  async #stateOf(db: Kysely<Tables>, ref: GrantRef, grant: Grant, expiresInSecs: number | null) {
    const nowMs = this.#deps.clock.wallMs();
    const lifeMs = expiresInSecs === null ? undefined : expiresInSecs * 1_000;
    return {
      sealed: await sealGrant(db, ref, grant, this.#deps),
      expiresAt: lifeMs === undefined ? null : new Date(nowMs + lifeMs),
      refreshAt: lifeMs === undefined ? null : new Date(nowMs + lifeMs - Math.min(AHEAD_MS, lifeMs / 10)),
      at: new Date(nowMs),
    };
  }
}

function sentenceOf({ code }: DeadGrant): string {
  return code === "no_refresh_token"
    ? "The access ended, and there is nothing to renew it with. Sign in again, or enter another token."
    : `The vendor took the access back, or it ran out (${code}). Sign in again.`;
}
