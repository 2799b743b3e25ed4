import type { OAuthClientConfig } from "@parley/shared/config/oauth-clients.ts";
import type { Connector } from "../connector.ts";
import type { IntegrationParts } from "../deps.ts";

/** The operator's registration of Parley with a connector's vendor; undefined when there is none. */
export function registeredClient(
  { id, oauth }: Pick<Connector, "id" | "oauth">,
  { oauthClients }: Pick<IntegrationParts, "oauthClients">,
): OAuthClientConfig | undefined {
  if (oauth === undefined) return undefined;
  const named = (name: string) => oauthClients.find(({ provider }) => provider === name);
  return named(id) ?? (oauth.issuer === undefined ? undefined : named(oauth.issuer));
}

/** Whether a connection may use consent: the vendor offers nothing else, or Parley is registered there. */
export function mayConsent(
  connector: Pick<Connector, "id" | "oauth" | "authKind">,
  parts: Pick<IntegrationParts, "oauthClients">,
): boolean {
  return connector.authKind === "oauth2" || registeredClient(connector, parts) !== undefined;
}
