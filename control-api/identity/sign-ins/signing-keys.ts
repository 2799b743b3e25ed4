import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8 } from "jose";
import type { Database } from "../../database/open.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { changeSigningKeys, listSigningKeys, type StoredSigningKey } from "./signing-key-store.ts";

const ALGORITHM = "EdDSA";
const ROTATE_AFTER_MS = 30 * 86_400_000;
/** How long a new key is published before it signs: longer than anybody caches the JWKS. */
const PUBLISH_AHEAD_MS = 10 * 60_000;
/** Longer than a token lives, so that an old key's tokens stay valid until they expire. */
const KEEP_AFTER_MS = 86_400_000;
const LOOK_EVERY_MS = 60_000;
/** Limits reloads, so that tokens with invented key ids do not become queries. */
const RELOAD_AT_MOST_EVERY_MS = 1_000;

export const JWKS_MAX_AGE_SECS = 300;

export interface SigningKeysDeps {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly log: Logger;
}

interface LoadedKey {
  readonly kid: string;
  readonly activeFromMs: number;
  readonly publicJwk: Record<string, string>;
  readonly publicKey: CryptoKey;
  /** Undefined if SECRETS_KEY lacks the key it was sealed with: such a key verifies but does not sign. */
  readonly privateKey: CryptoKey | undefined;
}

/**
 * The Ed25519 keys that sign access tokens, shared by all processes. A new key is made every 30 days, published ten
 * minutes before it signs, and kept for a day after its successor took over, so that a rotation never invalidates a
 * token. A key whose private half cannot be unsealed stays published; if none can be unsealed, a new one is made, so a
 * lost SECRETS_KEY signs nobody out.
 */
export class SigningKeys {
  readonly #deps: SigningKeysDeps;
  readonly #unopenable = new Set<string>();
  #keys: readonly LoadedKey[] = [];
  #loadedAtMs = Number.NEGATIVE_INFINITY;
  #stopLooking: () => void = () => undefined;

  private constructor(deps: SigningKeysDeps) {
    this.#deps = deps;
  }

  static async open(deps: SigningKeysDeps): Promise<SigningKeys> {
    const keys = new SigningKeys(deps);
    await keys.#tend();
    keys.#stopLooking = deps.clock.every(LOOK_EVERY_MS, () => {
      keys.#tend().catch((error: unknown) => {
        deps.log.warn(
          { event: "signing_keys_rotation_failed", err: messageOf(error) },
          "failed to rotate the signing keys",
        );
      });
    });
    return keys;
  }

  /** The newest key that is active. */
  current(): { readonly kid: string; readonly privateKey: CryptoKey } {
    const nowMs = this.#deps.clock.wallMs();
    const usable = this.#keys.flatMap(({ kid, activeFromMs, privateKey }) =>
      privateKey ? [{ kid, activeFromMs, privateKey }] : [],
    );
    const key = usable.findLast(({ activeFromMs }) => activeFromMs <= nowMs) ?? usable[0];
    if (!key) throw new AppError("internal", "There is no key to sign access tokens with.");
    return key;
  }

  /** The public half; undefined for an unknown key. */
  async publicKey(kid: string): Promise<CryptoKey | undefined> {
    const known = this.#keys.find((key) => key.kid === kid);
    if (known) return known.publicKey;
    if (this.#deps.clock.monotonicMs() - this.#loadedAtMs < RELOAD_AT_MOST_EVERY_MS) return undefined;
    await this.#load();
    return this.#keys.find((key) => key.kid === kid)?.publicKey;
  }

  /** RFC 7517: the keys that others verify our access tokens with. */
  jwks(): { keys: Record<string, string>[] } {
    return { keys: this.#keys.map(({ publicJwk }) => publicJwk) };
  }

  /** Creates a new key now, whatever the age of the last one. */
  async rotate(): Promise<void> {
    await this.#tend(0);
  }

  close(): void {
    this.#stopLooking();
  }

  async #tend(rotateAfterMs = ROTATE_AFTER_MS): Promise<void> {
    const nowMs = this.#deps.clock.wallMs();
    const known = await listSigningKeys(this.#deps.database.db);
    const isWanted = (keys: readonly StoredSigningKey[]): boolean =>
      isNewWanted(keys, nowMs, rotateAfterMs) || !keys.some((key) => this.#tryUnseal(key) !== undefined);
    if (isWanted(known) || droppable(known, nowMs).length > 0) {
      await changeSigningKeys(this.#deps.database, async (keys) => ({
        add: isWanted(keys) ? await this.#make(keys, nowMs) : undefined,
        drop: droppable(keys, nowMs),
      }));
    }
    await this.#load();
  }

  async #make(keys: readonly StoredSigningKey[], nowMs: number): Promise<StoredSigningKey> {
    const kid = newId("jwk");
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const { kty = "", crv = "", x = "" } = await exportJWK(publicKey);
    return {
      kid,
      publicJwk: { kty, crv, x, kid, alg: ALGORITHM, use: "sig" },
      privateSealed: this.#deps.secrets.seal(await exportPKCS8(privateKey), SEAL_CONTEXT.signingKey(kid)),
      createdAt: new Date(nowMs),
      // The first key need not wait for anybody's cache.
      activeFrom: new Date(keys.length === 0 ? nowMs : nowMs + PUBLISH_AHEAD_MS),
    };
  }

  async #load(): Promise<void> {
    this.#loadedAtMs = this.#deps.clock.monotonicMs();
    const stored = await listSigningKeys(this.#deps.database.db);
    const known = new Map(this.#keys.map((key) => [key.kid, key]));
    this.#keys = await Promise.all(stored.map((key) => known.get(key.kid) ?? this.#open(key)));
  }

  /** Undefined if SECRETS_KEY lacks its key, which is logged once per key and process. */
  #tryUnseal({ kid, privateSealed }: StoredSigningKey): string | undefined {
    try {
      return this.#deps.secrets.open(privateSealed, SEAL_CONTEXT.signingKey(kid));
    } catch (error) {
      if (!this.#unopenable.has(kid)) {
        this.#deps.log.error(
          { event: "signing_key_unreadable", kid, err: messageOf(error) },
          "failed to decrypt a key that signs access tokens",
        );
      }
      this.#unopenable.add(kid);
      return undefined;
    }
  }

  async #open(key: StoredSigningKey): Promise<LoadedKey> {
    const { kid, publicJwk, activeFrom } = key;
    const pem = this.#tryUnseal(key);
    return {
      kid,
      publicJwk,
      activeFromMs: activeFrom.getTime(),
      publicKey: (await importJWK(publicJwk, ALGORITHM)) as CryptoKey,
      privateKey: pem === undefined ? undefined : await importPKCS8(pem, ALGORITHM),
    };
  }
}

function isNewWanted(keys: readonly StoredSigningKey[], nowMs: number, afterMs: number): boolean {
  const newest = keys.at(-1);
  return newest === undefined || nowMs - newest.createdAt.getTime() >= afterMs;
}

/** Keys whose successor has signed long enough that none of their tokens is still valid. */
function droppable(keys: readonly StoredSigningKey[], nowMs: number): string[] {
  return keys
    .filter((_, index) => {
      const successor = keys[index + 1];
      return successor !== undefined && nowMs - successor.activeFrom.getTime() > KEEP_AFTER_MS;
    })
    .map(({ kid }) => kid);
}
