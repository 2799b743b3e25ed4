import { discoverOAuthServerInfo, type OAuthServerInfo } from "@modelcontextprotocol/client";
import type { McpNeedsAuth } from "@parley/shared/contracts/mcp.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import { guardedFetch } from "@parley/shared/net/guarded-fetch.ts";
import { cleanText } from "../client/cleaned-tools.ts";
import type { Challenge, McpTarget } from "../client/session.ts";

/** For all requests of a discovery together. */
const TIMEOUT_MS = 15_000;
const MAX_METADATA_BYTES = 262_144;
const MAX_SCOPES = 64;
const MAX_TEXT_CHARS = 512;

export interface DiscoveryDeps {
  readonly egress: Pick<Egress, "to">;
}

/** A guarded, bounded `fetch` for the requests of a sign-in, limited to 15 s. */
export function signInFetch(orgId: string, { egress }: DiscoveryDeps) {
  return guardedFetch({
    dispatcher: () => egress.to("mcp").of(orgId),
    maxResponseBytes: MAX_METADATA_BYTES,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Discovers a server's authorization server (RFC 9728, then RFC 8414). Rejects with what the client library throws. */
export function discover(
  { orgId, url }: Pick<McpTarget, "orgId" | "url">,
  { resourceMetadataUrl }: Pick<Challenge, "resourceMetadataUrl">,
  deps: DiscoveryDeps,
): Promise<OAuthServerInfo> {
  return discoverOAuthServerInfo(url, {
    fetchFn: signInFetch(orgId, deps),
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
  });
}

/** Describes for people a server that requires a sign-in. Never rejects. */
export async function describeSignIn(
  target: McpTarget,
  challenge: Challenge,
  deps: DiscoveryDeps,
): Promise<McpNeedsAuth> {
  const found = await discover(target, challenge, deps).catch((error: unknown) => messageOf(error));
  if (typeof found === "string" || found.authorizationServerMetadata === undefined) {
    return {
      needsAuth: true,
      authorizationServer: null,
      scopes: [],
      message:
        "The server wants a credential, and does not say who signs people in for it. Enter a token of its vendor.",
    };
  }
  const asked = challenge.scope?.split(" ") ?? found.resourceMetadata?.scopes_supported ?? [];
  return {
    needsAuth: true,
    authorizationServer: cleanText(found.authorizationServerUrl, MAX_TEXT_CHARS),
    scopes: asked.slice(0, MAX_SCOPES).map((scope) => cleanText(scope, MAX_TEXT_CHARS)),
    message: "The server needs a sign-in. Sign in, or enter a token from its vendor.",
  };
}
