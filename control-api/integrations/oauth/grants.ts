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

/** A token is renewed so long before it ends, or in the last tenth of its time when that is less. */
const AHEAD_MS = 120_000;
/** Renewals of a process at a time: each holds a connection to the database. */
const MAX_RENEWALS = 3;
/** Ahead of its end nobody waits longer than this for another token. */
const AHEAD_WAIT_MS = 1_000;
/** After a renewal that failed for the moment the vendor is left alone for so long. */
const PAUSE_MS = 5_000;
const PAUSES = { perOrg: 200, orgs: 10_000 };

/** The access is over, and somebody has to sign in again; the message says so to who built the agent. */
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
  /** Parley as vendors know it now: a secret that was changed there goes for older access as well. */
  readonly oauthClients?: readonly OAuthClientConfig[];
  /** An access ended that nobody has seen end yet. Never throws. */
  readonly onDead: (grant: GrantRef, lastError: string) => void;
}

/** Access that people gave at vendors: always with a token that is good, renewed once however many ask. */
export class Grants {
  readonly #deps: GrantsDeps;
  /** Renewals that this process has in flight. */
  readonly #renewals = new Map<string, Promise<string>>();
  readonly #waiting: (() => void)[] = [];
  readonly #pauses = new OrgMap<{ readonly untilMs: number; readonly error: unknown }>(PAUSES);
  #running = 0;

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  /** Stores what a consent brought, in the transaction that says so if there is one. Reconnecting keeps the id. */
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

  /** A token to send now. Throws `NeedsSignIn`, and `AppError` vendor_failed when it has ended and cannot be renewed yet. */
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
      // Ahead of its end the old one is still good.
      if (error instanceof NeedsSignIn || isOver()) throw error;
      return grant.access;
    }
  }

  /** The rights that were given, as far as the vendor names them. Throws `NeedsSignIn`. */
  async scopeOf(ref: GrantRef): Promise<string | null> {
    const { db } = this.#deps.database;
    const { scope } = await this.#open(db, ref, await findGrant(db, ref, { lock: false }));
    return scope;
  }

  /** Another token than the one that was refused. Throws as `accessToken`. */
  renewed(ref: GrantRef, refused: string): Promise<string> {
    return this.#renewOnce(ref, refused);
  }

  /** Forgets the access, in a transaction. What it returns tells the vendor, once that is over, and never rejects. */
  async forget(ref: GrantRef, db: Kysely<Tables>): Promise<(() => Promise<void>) | undefined> {
    const row = await takeGrant(db, ref);
    return row && (() => this.#tellVendor(ref, () => this.#opened(this.#deps.database.db, row)));
  }

  /** Gives tokens back that are not needed after all. Never rejects. */
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

  /** A vendor that fails is not asked again by each call that needs a token. */
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

  /** The old token when another one takes long: a caller waits for it. */
  #orSoon(renewal: Promise<string>, old: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const cancel = this.#deps.clock.after(AHEAD_WAIT_MS, () => resolve(old));
      renewal.then(resolve, reject).finally(cancel);
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_RENEWALS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Other processes wait at the row's lock; the embedded database has one process, whose other queries must not wait. */
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
      // Some vendors give nothing without the scope.
      const form = { grant_type: "refresh_token", refresh_token: grant.refresh, ...scope };
      const tokens = await requestTokens(grant, form, this.#deps.dispatchers.of(ref.orgId));
      const next = {
        ...grant,
        access: tokens.access,
        refresh: tokens.refresh ?? grant.refresh,
        // Where a renewal names none, it never does.
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
