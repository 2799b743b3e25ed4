import type { Clock } from "@parley/shared/clock.ts";
import { OrgMap } from "@parley/shared/org-map.ts";
import type { MintedToken } from "../connector.ts";
import type { TokenSource } from "./token-source.ts";

const BOUNDS = { perOrg: 100, orgs: 10_000 };
/** Safety margin, as a token must not expire while its request is under way. */
const MARGIN_MS = 60_000;

interface Kept {
  readonly token: Promise<MintedToken | undefined>;
  readonly mintedAtMs: number;
}

type Mint = () => Promise<MintedToken | undefined>;

/** Caches tokens exchanged for credentials until they expire; concurrent requests share one exchange. */
export class MintedTokens {
  readonly #clock: Clock;
  readonly #kept = new OrgMap<Kept>(BOUNDS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `key` identifies the credentials: a connection and its version. */
  source(orgId: string, key: string, mint: Mint): TokenSource {
    return {
      token: async () => {
        const known = this.#kept.get(orgId, key);
        const minted = known && (await known.token);
        if (known && (minted === undefined || this.#isGood(known.mintedAtMs, minted))) return minted?.token;
        return this.#mintAfter(known, { orgId, key, mint });
      },
      renewed: async (refused) => {
        const known = this.#kept.get(orgId, key);
        const current = await known?.token.catch(() => undefined);
        // Another request has renewed the token already.
        if (current !== undefined && current.token !== refused) return current.token;
        return this.#mintAfter(known, { orgId, key, mint });
      },
    };
  }

  #isGood(mintedAtMs: number, { expiresInSecs }: MintedToken): boolean {
    return this.#clock.monotonicMs() < mintedAtMs + expiresInSecs * 1_000 - MARGIN_MS;
  }

  /** Mints once for all who found the same token unusable. */
  async #mintAfter(
    unusable: Kept | undefined,
    { orgId, key, mint }: { readonly orgId: string; readonly key: string; readonly mint: Mint },
  ): Promise<string | undefined> {
    const now = this.#kept.get(orgId, key);
    if (now !== undefined && now !== unusable) return (await now.token)?.token;
    return this.#mint(orgId, key, mint);
  }

  async #mint(orgId: string, key: string, mint: Mint): Promise<string | undefined> {
    const kept = { token: mint(), mintedAtMs: this.#clock.monotonicMs() };
    this.#kept.set(orgId, key, kept);
    try {
      return (await kept.token)?.token;
    } catch (error) {
      if (this.#kept.get(orgId, key) === kept) this.#kept.delete(orgId, key);
      throw error;
    }
  }
}
