import type { OidcProvider } from "@parley/shared/config/fields.ts";
import { AppError } from "@parley/shared/errors.ts";
import * as oidc from "openid-client";

const TIMEOUT_SECS = 10;
/** How long a provider's published metadata (addresses, keys) is cached. */
const REDISCOVER_AFTER_MS = 3_600_000;

interface Discovered {
  readonly configuration: Promise<oidc.Configuration>;
  readonly atMs: number;
}

/** The configured identity providers, discovered on first use. */
export class OidcProviders {
  readonly #providers: ReadonlyMap<string, OidcProvider>;
  readonly #nowMs: () => number;
  readonly #discovered = new Map<string, Discovered>();

  constructor(deps: { readonly providers: readonly OidcProvider[]; readonly nowMs: () => number }) {
    this.#providers = new Map(deps.providers.map((provider) => [provider.id, provider]));
    this.#nowMs = deps.nowMs;
  }

  list(): { id: string; name: string }[] {
    return [...this.#providers.values()].map(({ id, name }) => ({ id, name }));
  }

  /** Throws `AppError` not_found; vendor_failed if the provider is unreachable. */
  async get(id: string): Promise<{ provider: OidcProvider; configuration: oidc.Configuration }> {
    const provider = this.#providers.get(id);
    if (!provider) throw new AppError("not_found", "There is no such identity provider here.");
    return { provider, configuration: await this.#discover(provider) };
  }

  async #discover(provider: OidcProvider): Promise<oidc.Configuration> {
    const known = this.#discovered.get(provider.id);
    if (known && this.#nowMs() - known.atMs < REDISCOVER_AFTER_MS) return known.configuration;
    const configuration = discover(provider).catch((cause: unknown) => {
      // Falls back to the previous metadata; the next sign-in tries again.
      if (known) this.#discovered.set(provider.id, known);
      else this.#discovered.delete(provider.id);
      if (known) return known.configuration;
      throw new AppError("vendor_failed", `${provider.name} cannot be reached; try again shortly.`, {
        cause,
      });
    });
    this.#discovered.set(provider.id, { configuration, atMs: this.#nowMs() });
    return configuration;
  }
}

function discover({ issuer, clientId, clientSecret }: OidcProvider): Promise<oidc.Configuration> {
  const url = new URL(issuer);
  const isLoopback = ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return oidc.discovery(url, clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECS,
    execute: [
      // OpenID Connect Core 3.1.3.7 (6) lets TLS replace the signature check; we verify it anyway.
      oidc.enableNonRepudiationChecks,
      // Allows a developer's own issuer without TLS, only on this machine.
      ...(url.protocol === "http:" && isLoopback ? [oidc.allowInsecureRequests] : []),
    ],
  });
}
