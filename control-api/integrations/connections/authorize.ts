import type { Authorization } from "@parley/shared/contracts/integrations.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Connector, OAuthFacts } from "../connector.ts";
import type { ConnectionActor, IntegrationParts } from "../deps.ts";
import {
  type BegunConsent,
  beginConsent,
  type ConsentAt,
  type ConsentFor,
  prepareConsent,
} from "../oauth/consent.ts";
import type { OAuthClient } from "../oauth/token-request.ts";
import { vendorAddress } from "../vendor/address.ts";
import { registeredClient } from "./registered.ts";
import type { ConnectionRow } from "./store.ts";
import { existing } from "./update.ts";

/** The kind of consents for connections. */
export const CONNECTION_CONSENT = "integration";
export const CALLBACK_PATH = "/api/public/integrations/oauth/callback";
export const LINK_PATH = "/api/public/integrations/oauth/authorize";
/** The connection's page in the dashboard lies below this path. */
const RETURNS_TO_PATH = "/integrations/connections";

export interface BegunAuthorization extends Omit<Authorization, "pollUrl"> {
  /** Binds the requester's browser; undefined when none asked: the first browser to open the link is bound. */
  readonly begun?: BegunConsent;
}

/**
 * Begins a consent for a connection. A person's browser is bound at once; a key gets a link that binds the browser that
 * opens it. Throws `AppError` not_found, bad_request (no consent is needed there), conflict (this installation is not
 * registered with the vendor), too_many_requests.
 */
export async function authorizeConnection(
  id: string,
  actor: ConnectionActor,
  deps: IntegrationParts,
): Promise<BegunAuthorization> {
  const { row, connector } = await existing(id, actor.orgId, deps);
  const at = consentAt(connector, row, deps);
  await deps.limits.take("connector_writes_per_key", actor.id);
  const isByKey = actor.kind === "key";
  const of: ConsentFor = {
    kind: CONNECTION_CONSENT,
    orgId: actor.orgId,
    connectionId: id,
    userId: actor.id,
    isByKey,
  };
  const returnsTo = returnAddress(id, deps);
  if (!isByKey) {
    const begun = await beginConsent(of, at, deps.consents);
    return { authorizeUrl: begun.authorizeUrl, returnsTo, begun };
  }
  const { state } = await prepareConsent(of, at, deps.consents);
  return { authorizeUrl: `${deps.baseUrl()}${LINK_PATH}?state=${state}`, returnsTo };
}

/** The address where a browser ends up after consent. */
export function returnAddress(id: string, { baseUrl }: Pick<IntegrationParts, "baseUrl">): string {
  return `${baseUrl()}${RETURNS_TO_PATH}/${id}`;
}

function consentAt(connector: Connector, row: ConnectionRow, deps: IntegrationParts): ConsentAt {
  const { oauth } = connector;
  if (!oauth) {
    const message = `${connector.name} is connected with credentials, not with a sign-in. Set them with PATCH.`;
    throw new AppError("bad_request", message);
  }
  const settings = JSON.parse(row.settings) as Record<string, string>;
  const instead = deps.network.vendorUrls[connector.id];
  const revokeUrl = oauth.revokeUrl?.(settings);
  return {
    client: clientOf(connector, oauth, deps),
    authorizeUrl: vendorAddress(oauth.authorizeUrl(settings), instead),
    tokenUrl: vendorAddress(oauth.tokenUrl(settings), instead),
    revokeUrl: revokeUrl === undefined ? null : vendorAddress(revokeUrl, instead),
    revokesBy: oauth.revokesBy,
    issuer: oauth.issuer ?? null,
    namesIssuer: false,
    resource: null,
    scope: oauth.scopes.length === 0 ? null : oauth.scopes.join(oauth.scopeSeparator ?? " "),
    parameters: oauth.parameters ?? {},
    redirectUri: `${deps.baseUrl()}${CALLBACK_PATH}`,
  };
}

function clientOf(
  connector: Connector,
  { clientSecretIn = "body" }: OAuthFacts,
  { oauthClients, baseUrl }: IntegrationParts,
): OAuthClient {
  const client = registeredClient(connector, { oauthClients });
  if (client) return { id: client.clientId, secret: client.clientSecret ?? null, secretIn: clientSecretIn };
  const message = `This server is not registered with ${connector.name}. Its operator must register Parley there, with the redirect URI ${baseUrl()}${CALLBACK_PATH}, and add the client to OAUTH_CLIENTS with the provider "${connector.id}".`;
  throw new AppError("conflict", message);
}
