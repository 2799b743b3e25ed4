import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import { findUsableKey, markKeysUsed } from "./key-store.ts";
import type { KeyPrincipal } from "./principal.ts";

/** A revoked key stops working within this time. */
const CACHE_TTL_MS = 1_000;
const MAX_CACHED_KEYS = 10_000;
const MAX_SECRET_CHARS = 256;
const LAST_USED_EVERY_MS = 5_000;

interface Cached {
  readonly principal: KeyPrincipal;
  readonly validUntilMs: number;
}

/** Turns `X-API-Key` into a principal; remembers for a moment, and writes `last_used_at` in batches. */
export class KeyResolver {
  readonly #deps: { database: Database; clock: Clock; log: Logger };
  readonly #cache = new Map<string, Cached>();
  #used = new Set<string>();
  readonly #stopWriting: () => void;

  constructor(deps: { database: Database; clock: Clock; log: Logger }) {
    this.#deps = deps;
    this.#stopWriting = deps.clock.every(LAST_USED_EVERY_MS, () => void this.#writeLastUsed());
  }

  /** Throws `AppError` unauthorized. */
  async resolve(secret: string | undefined): Promise<KeyPrincipal> {
    if (secret === undefined || secret === "") {
      throw new AppError("unauthorized", "Send the API key in the X-API-Key header.");
    }
    const principal = secret.length > MAX_SECRET_CHARS ? undefined : await this.#find(sha256Hex(secret));
    if (!principal) {
      throw new AppError(
        "unauthorized",
        "The API key is unknown or revoked, or its creator is not active any more.",
      );
    }
    this.#used.add(principal.keyId);
    return principal;
  }

  async close(): Promise<void> {
    this.#stopWriting();
    await this.#writeLastUsed();
  }

  async #find(hash: string): Promise<KeyPrincipal | undefined> {
    const { database, clock } = this.#deps;
    const cached = this.#cache.get(hash);
    if (cached && clock.monotonicMs() < cached.validUntilMs) return cached.principal;
    this.#cache.delete(hash);
    const key = await findUsableKey(database, hash);
    if (!key) return undefined;
    const principal: KeyPrincipal = { kind: "key", ...key };
    const oldest = this.#cache.keys().next().value;
    if (this.#cache.size >= MAX_CACHED_KEYS && oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(hash, { principal, validUntilMs: clock.monotonicMs() + CACHE_TTL_MS });
    return principal;
  }

  async #writeLastUsed(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used];
    this.#used = new Set();
    const { database, clock, log } = this.#deps;
    try {
      await markKeysUsed(database, used, new Date(clock.wallMs()));
    } catch (error) {
      log.warn({ err: messageOf(error) }, "last_used_at was not written");
    }
  }
}
