import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../database/open.ts";
import type { AccessChanges } from "./access-changes.ts";
import { findUsableKey, markKeysUsed } from "./key-store.ts";
import type { KeyPrincipal } from "./principal.ts";
import { PrincipalCache } from "./principal-cache.ts";

const MAX_SECRET_CHARS = 256;
/** One statement per second covers all keys used in it. */
const LAST_USED_EVERY_MS = 1_000;

export interface KeyResolverDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly changes: AccessChanges;
  readonly cacheTtlMs?: number | undefined;
}

/** Resolves `X-API-Key` to a principal with a short-lived cache, and writes `last_used_at` in batches. */
export class KeyResolver {
  readonly #deps: KeyResolverDeps;
  readonly #cache: PrincipalCache<KeyPrincipal>;
  #used = new Set<string>();
  #lastUseMs = 0;
  #isWriting = false;
  readonly #stopWriting: () => void;

  constructor(deps: KeyResolverDeps) {
    this.#deps = deps;
    this.#cache = new PrincipalCache(deps.clock, deps.cacheTtlMs);
    deps.changes.onChange((change) => {
      if ("keyId" in change) this.#cache.forget(({ keyId }) => keyId === change.keyId);
      if ("userId" in change) this.#cache.forget(({ userId }) => userId === change.userId);
    });
    this.#stopWriting = deps.clock.every(LAST_USED_EVERY_MS, () => void this.#writeLastUsed());
  }

  /** Throws `AppError` unauthorized. */
  async resolve(secret: string): Promise<KeyPrincipal> {
    const principal = secret.length > MAX_SECRET_CHARS ? undefined : await this.#find(sha256Hex(secret));
    if (!principal) {
      throw new AppError(
        "unauthorized",
        "The API key is unknown or revoked, or its creator is no longer active.",
      );
    }
    return principal;
  }

  /** Records a successful request. */
  markUsed({ keyId }: KeyPrincipal): void {
    this.#used.add(keyId);
    this.#lastUseMs = this.#deps.clock.wallMs();
  }

  async close(): Promise<void> {
    this.#stopWriting();
    await this.#writeLastUsed();
  }

  async #find(hash: string): Promise<KeyPrincipal | undefined> {
    return this.#cache.get(hash, async () => {
      const key = await findUsableKey(this.#deps.database, hash);
      return key && { kind: "key", ...key };
    });
  }

  /** Runs one write at a time, so that a slow database does not get another each second. */
  async #writeLastUsed(): Promise<void> {
    if (this.#used.size === 0 || this.#isWriting) return;
    this.#isWriting = true;
    const used = [...this.#used];
    this.#used = new Set();
    const { database, log } = this.#deps;
    try {
      await markKeysUsed(database, used, new Date(this.#lastUseMs));
    } catch (error) {
      // Retried with the next batch.
      for (const keyId of used) this.#used.add(keyId);
      log.warn({ event: "api_key_use_not_saved", err: messageOf(error) }, "failed to write last_used_at");
    } finally {
      this.#isWriting = false;
    }
  }
}
