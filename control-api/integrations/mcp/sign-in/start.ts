import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  type OAuthServerInfo,
} from "@modelcontextprotocol/client";
import type { StartMcpSignIn } from "@parley/shared/contracts/mcp.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { parseUrl } from "@parley/shared/urls.ts";
import { type BegunConsent, beginConsent, type ConsentDeps } from "../../oauth/consent.ts";
import { type Challenge, McpUnauthorized, openSession, type SessionDeps } from "../client/session.ts";
import { refusal, targetOf } from "../verify.ts";
import { CALLBACK_PATH, type ClientDeps, clientFor } from "./client.ts";
import {
  findMcpConnection,
  insertMcpConnection,
  listMcpConnections,
  type StoredMcpConnection,
} from "./connection-store.ts";
import { discover } from "./discovery.ts";

/** For the request that reveals what the server demands. */
const TIMEOUT_MS = 10_000;
/** Per organization, including sign-ins that were never completed. */
const MAX_CONNECTIONS = 200;
export const MCP_CONSENT = "mcp";

export type SignInDeps = ClientDeps & ConsentDeps & SessionDeps;

interface By {
  readonly orgId: string;
  readonly userId: string;
}

/**
 * Begins a sign-in to a tool server. Throws `AppError` not_found (no such connection), bad_request (the server needs no
 * sign-in), vendor_rejected (Parley may not use its sign-in), conflict, and what `verifyServer` throws.
 */
export async function startSignIn(
  body: StartMcpSignIn,
  by: By,
  deps: SignInDeps,
): Promise<BegunConsent & { readonly mcpConnectionId: string }> {
  const known = await knownConnection(body, by, deps);
  const challenge = await challengeOf(body.url, by.orgId, deps);
  const info = await discover({ orgId: by.orgId, url: body.url }, challenge, deps).catch((cause: unknown) => {
    throw noSignIn("does not say who signs people in", cause);
  });
  const metadata = usable(info);
  const scope = scopeOf(info, metadata, [challenge.scope, known?.wantedScope ?? undefined]);
  const client = await clientFor(metadata, { orgId: by.orgId, scope }, deps);
  const id = known?.id ?? (await newConnection(body, by, deps));
  const begun = await beginConsent(
    { kind: MCP_CONSENT, orgId: by.orgId, connectionId: id, userId: by.userId },
    {
      client,
      authorizeUrl: metadata.authorization_endpoint,
      tokenUrl: metadata.token_endpoint,
      revokeUrl: revocationOf(metadata),
      issuer: metadata.issuer,
      namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
      resource: resourceOf(body.url, info),
      scope,
      parameters: scope?.split(" ").includes("offline_access") ? { prompt: "consent" } : {},
      redirectUri: `${deps.baseUrl()}${CALLBACK_PATH}`,
    },
    deps,
  );
  return { ...begun, mcpConnectionId: id };
}

/** The named connection's id, or a new one's. Throws `AppError` not_found, bad_request, conflict. */
export async function connectionFor(body: StartMcpSignIn, by: By, deps: SignInDeps): Promise<string> {
  return (await knownConnection(body, by, deps))?.id ?? newConnection(body, by, deps);
}

/** The connection to sign in to again: the named one, or one for this address that does not work. */
async function knownConnection(
  { url, mcpConnectionId }: StartMcpSignIn,
  { orgId }: By,
  { database }: SignInDeps,
): Promise<StoredMcpConnection | undefined> {
  if (mcpConnectionId !== undefined) {
    const named = await findMcpConnection(database, orgId, mcpConnectionId);
    if (!named) throw new AppError("not_found", `There is no connection ${mcpConnectionId} here.`);
    if (named.url !== url)
      throw new AppError("bad_request", `The connection ${mcpConnectionId} is one to ${named.url}.`);
    return named;
  }
  const all = await listMcpConnections(database, orgId);
  const known = all.find((one) => one.url === url && one.grantStatus !== "active");
  if (!known && all.length >= MAX_CONNECTIONS)
    throw new AppError("conflict", `There are ${MAX_CONNECTIONS} connections; disconnect one first.`);
  return known;
}

async function newConnection(
  { url, label }: StartMcpSignIn,
  { orgId, userId }: By,
  { database, clock }: SignInDeps,
): Promise<string> {
  const id = newId("mcp");
  const createdAt = new Date(clock.wallMs());
  const shown = label ?? new URL(url).host;
  await insertMcpConnection(database, { id, orgId, url, label: shown, createdBy: userId, createdAt });
  return id;
}

/** The server's challenge to an unauthenticated client. */
async function challengeOf(url: string, orgId: string, deps: SignInDeps): Promise<Challenge> {
  const session = await openSession(targetOf({ orgId, url }), { timeoutMs: TIMEOUT_MS }, deps).catch(
    (error: unknown) => {
      if (error instanceof McpUnauthorized) return error.challenge;
      throw refusal(error);
    },
  );
  if (!("client" in session)) return session;
  const listed = await session.client.listTools(undefined, { timeout: TIMEOUT_MS }).then(
    () => undefined,
    () => session.challenge(),
  );
  void session.end();
  if (listed) return listed;
  throw new AppError("bad_request", "The server needs no sign-in. Connect without one.");
}

/** Throws `AppError` vendor_rejected for an unsafe sign-in. */
function usable({ authorizationServerMetadata: metadata }: OAuthServerInfo): AuthorizationServerMetadata {
  if (!metadata) throw noSignIn("does not say who signs people in");
  if (!metadata.code_challenge_methods_supported?.includes("S256"))
    throw noSignIn("is signed in to without PKCE (S256), which would not be safe");
  const addresses = [metadata.authorization_endpoint, metadata.token_endpoint];
  // The user's browser is sent there, and no guard checks its requests.
  if (addresses.some((address) => address !== undefined && !isWebAddress(address)))
    throw noSignIn("names an address for signing in that is none of the web");
  return metadata;
}

/** Not part of OpenID Connect metadata, but its servers send it. */
function revocationOf(metadata: AuthorizationServerMetadata): string | null {
  const named: unknown = "revocation_endpoint" in metadata ? metadata.revocation_endpoint : undefined;
  return typeof named === "string" && isWebAddress(named) ? named : null;
}

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(parseUrl(address)?.protocol ?? "");
}

function noSignIn(what: string, cause?: unknown): AppError {
  return new AppError("vendor_rejected", `The server ${what}. Enter a token of its vendor instead.`, {
    cause,
  });
}

/** The token's audience: the server's address without fragment or trailing slash, or what it names (RFC 8707). */
function resourceOf(url: string, { resourceMetadata }: OAuthServerInfo): string | null {
  const plain = new URL(url);
  plain.hash = "";
  const own = plain.href.replace(/\/$/, "");
  const named = resourceMetadata?.resource;
  if (named === undefined) return own;
  if (!checkResourceAllowed({ requestedResource: url, configuredResource: named }))
    throw noSignIn("names another one than itself as what people sign in to");
  return named;
}

/** Scopes of the challenge, or else those the server lists; plus `offline_access` where supported. */
function scopeOf(
  { resourceMetadata }: OAuthServerInfo,
  metadata: AuthorizationServerMetadata,
  asked: readonly (string | undefined)[],
): string | null {
  const wanted = asked.flatMap((scope) => scope?.split(" ") ?? []).filter(Boolean);
  const scopes = new Set(wanted.length > 0 ? wanted : (resourceMetadata?.scopes_supported ?? []));
  if (metadata.scopes_supported?.includes("offline_access")) scopes.add("offline_access");
  return scopes.size === 0 ? null : [...scopes].join(" ");
}
