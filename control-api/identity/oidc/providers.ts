import type { OidcProvider } from "@parley/shared/config/fields.ts";
import { AppError } from "@parley/shared/errors.ts";
import * as oidc from "openid-client";

const TIMEOUT_SECS = 10;
/** What a provider publishes about itself (addresses, keys) is asked for again after this time. */
const REDISCOVER_AFTER_MS = 3_600_000;

interface Discovered {
  readonly configuration: Promise<oidc.Configuration>;
  readonly atMs: number;
}

/** The configured identity providers, discovered when they are first used. */
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

  /** Throws `AppError` not_found, vendor_failed when the provider cannot be reached. */
  async get(id: string): Promise<{ provider: OidcProvider; configuration: oidc.Configuration }> {
    const provider = this.#providers.get(id);
    if (!provider) throw new AppError("not_found", "There is no such identity provider here.");
    return { provider, configuration: await this.#discover(provider) };
  }

  async #discover(provider: OidcProvider): Promise<oidc.Configuration> {
    const known = this.#discovered.get(provider.id);
    if (known && this.#nowMs() - known.atMs < REDISCOVER_AFTER_MS) return known.configuration;
    const configuration = discover(provider).catch((cause: unknown) => {
      // What was known before is still better than nothing; it is tried again with the next sign-in.
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
      // OpenID Connect Core 3.1.3.7 (6) lets TLS stand in for the signature; we verify it all the same.
      oidc.enableNonRepudiationChecks,
      // Without TLS only to this machine: an issuer of a developer's own.
      ...(url.protocol === "http:" && isLoopback ? [oidc.allowInsecureRequests] : []),
    ],
  });
}
