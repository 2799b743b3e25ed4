import type { Clock } from "@parley/shared/clock.ts";
import { OrgMap } from "@parley/shared/org-map.ts";
import type { MintedToken } from "../connector.ts";
import type { TokenSource } from "./token-source.ts";

const BOUNDS = { perOrg: 100, orgs: 10_000 };
/** A token that ends while a request is on its way is of no use. */
const MARGIN_MS = 60_000;

interface Kept {
  readonly token: Promise<MintedToken | undefined>;
  readonly mintedAtMs: number;
}

type Mint = () => Promise<MintedToken | undefined>;

/** Tokens that were exchanged for credentials, kept until they end; of several who ask at once one exchanges. */
export class MintedTokens {
  readonly #clock: Clock;
  readonly #kept = new OrgMap<Kept>(BOUNDS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `key` names the credentials: a connection and its version. */
  source(orgId: string, key: string, mint: Mint): TokenSource {
    return {
      token: async () => {
        const known = this.#kept.get(orgId, key);
        const minted = known && (await known.token);
        if (known && (minted === undefined || this.#isGood(known.mintedAtMs, minted))) return minted?.token;
        return this.#mint(orgId, key, mint);
      },
      renewed: async (refused) => {
        const current = await this.#kept.get(orgId, key)?.token.catch(() => undefined);
        // Another request has renewed it already.
        if (current !== undefined && current.token !== refused) return current.token;
        return this.#mint(orgId, key, mint);
      },
    };
  }

  #isGood(mintedAtMs: number, { expiresInSecs }: MintedToken): boolean {
    return this.#clock.monotonicMs() < mintedAtMs + expiresInSecs * 1_000 - MARGIN_MS;
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
