import { type AuthorizationServerMetadata, registerClient } from "@modelcontextprotocol/client";
import type { Clock } from "@parley/shared/clock.ts";
import type { OAuthClientConfig } from "@parley/shared/config/oauth-clients.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../../database/open.ts";
import { SEAL_CONTEXT } from "../../../sealed/contexts.ts";
import type { OAuthClient } from "../../oauth/token-request.ts";
import { findClient, putClient } from "./client-store.ts";
import { type DiscoveryDeps, signInFetch } from "./discovery.ts";

export interface ClientDeps extends DiscoveryDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly baseUrl: () => string;
  readonly oauthClients: readonly OAuthClientConfig[];
}

const CLIENT_NAME = "Parley";
export const CALLBACK_PATH = "/api/public/mcp/oauth/callback";
export const CLIENT_DOCUMENT_PATH = "/api/public/mcp/oauth/client.json";

/** The client metadata document, for authorization servers that accept its URL as the client id. */
export function clientDocument(baseUrl: string) {
  return {
    client_id: `${baseUrl}${CLIENT_DOCUMENT_PATH}`,
    client_name: CLIENT_NAME,
    client_uri: baseUrl,
    redirect_uris: [`${baseUrl}${CALLBACK_PATH}`],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "web",
  };
}

/**
 * Parley's client at an authorization server: the operator's, the document above, or a registration made once per
 * organization. Throws `AppError` vendor_rejected when the server accepts none of them.
 */
export async function clientFor(
  metadata: AuthorizationServerMetadata,
  { orgId, scope }: { readonly orgId: string; readonly scope: string | null },
  deps: ClientDeps,
): Promise<OAuthClient> {
  const { issuer } = metadata;
  const configured = deps.oauthClients.find(({ provider }) => sameIssuer(provider, issuer));
  if (configured) {
    const { clientId: id, clientSecret: secret = null } = configured;
    return { id, secret, secretIn: secretIn(metadata) };
  }
  const document = clientDocument(deps.baseUrl());
  if (metadata.client_id_metadata_document_supported === true && document.client_id.startsWith("https:"))
    return { id: document.client_id, secret: null, secretIn: "body" };
  const context = SEAL_CONTEXT.oauthClient(orgId, sha256Hex(issuer));
  const known = await findClient(deps.database, orgId, issuer);
  if (known !== undefined) {
    const stored = JSON.parse(deps.secrets.open(known, context)) as Registered;
    // A registration becomes useless when our address changes or its secret expires.
    const isGood = stored.redirectUri === document.redirect_uris[0] && !isOver(stored, deps);
    if (isGood) return stored.client;
  }
  const registered = await register(metadata, { orgId, scope }, deps);
  const sealed = deps.secrets.seal(JSON.stringify(registered), context);
  await putClient(deps.database, { orgId, issuer, sealed, at: new Date(deps.clock.wallMs()) });
  return registered.client;
}

interface Registered {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly secretEndsAtSecs: number;
}

function isOver({ secretEndsAtSecs }: Registered, { clock }: ClientDeps): boolean {
  return secretEndsAtSecs !== 0 && secretEndsAtSecs * 1_000 <= clock.wallMs();
}

async function register(
  metadata: AuthorizationServerMetadata,
  { orgId, scope }: { readonly orgId: string; readonly scope: string | null },
  deps: ClientDeps,
): Promise<Registered> {
  if (metadata.registration_endpoint === undefined) {
    throw new AppError(
      "vendor_rejected",
      `The server does not let Parley register itself. The operator can register it there and put the client id into OAUTH_CLIENTS, with provider ${metadata.issuer}.`,
    );
  }
  const { client_id: _, ...clientMetadata } = clientDocument(deps.baseUrl());
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const method = ["none", "client_secret_post", "client_secret_basic"].find((one) => methods.includes(one));
  const ask = (more: { readonly scope?: string }) =>
    registerClient(metadata.issuer, {
      metadata,
      clientMetadata: { ...clientMetadata, token_endpoint_auth_method: method ?? "none" },
      ...more,
      fetchFn: signInFetch(orgId, deps),
    });
  const made = await ask(scope === null ? {} : { scope })
    .catch((error: unknown) => {
      // Some servers reject scopes at registration that they accept in a token request.
      if (error instanceof AppError || scope === null) throw error;
      return ask({});
    })
    .catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      throw new AppError("vendor_rejected", "The server refused to register Parley.", { cause });
    });
  const used = made.token_endpoint_auth_method ?? method;
  return {
    client: {
      id: made.client_id,
      secret: used === "none" ? null : (made.client_secret ?? null),
      secretIn: used === "client_secret_basic" ? "basic" : "body",
    },
    redirectUri: `${deps.baseUrl()}${CALLBACK_PATH}`,
    secretEndsAtSecs: made.client_secret_expires_at ?? 0,
  };
}

function secretIn({ token_endpoint_auth_methods_supported: methods }: AuthorizationServerMetadata) {
  return methods?.includes("client_secret_post") ? "body" : "basic";
}

function sameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, "") === other.replace(/\/$/, "");
}
