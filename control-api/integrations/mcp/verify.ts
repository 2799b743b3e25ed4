import type { McpNeedsAuth, VerifiedMcp, VerifyMcp } from "@parley/shared/contracts/mcp.ts";
import { AppError } from "@parley/shared/errors.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import { cleanedTools, cleanText } from "./client/cleaned-tools.ts";
import { failureOf } from "./client/failure.ts";
import {
  asUnauthorized,
  type McpTarget,
  McpUnauthorized,
  openSession,
  type Session,
  type SessionDeps,
} from "./client/session.ts";
import { connectedTarget, type McpConnectionDeps } from "./connections.ts";
import { describeSignIn } from "./sign-in/discovery.ts";

/** For the handshake and for each page of tools. */
const TIMEOUT_MS = 10_000;
const MAX_NAME_CHARS = 128;

export interface VerifyDeps extends SessionDeps, McpConnectionDeps {}

/**
 * Connects to a server and lists its tools, or reports that it requires a sign-in. Throws `AppError` vendor_rejected
 * (not such a server, or the token was refused), and the errors of a refused address.
 */
export async function verifyServer(
  { url, token, mcpConnectionId: id }: VerifyMcp,
  orgId: string,
  deps: VerifyDeps,
): Promise<VerifiedMcp | McpNeedsAuth> {
  const target =
    id === undefined ? targetOf({ orgId, url, token }) : await connectedTarget({ orgId, id, url }, deps);
  try {
    return await probe(target, deps);
  } catch (error) {
    if (!(error instanceof McpUnauthorized)) throw refusal(error);
    if (token !== undefined) {
      throw new AppError("vendor_rejected", "The server rejected the token. Enter another one.", {
        cause: error,
      });
    }
    return describeSignIn(target, error.challenge, deps);
  }
}

/** A server with a manually entered token, or without a credential. */
export function targetOf({
  orgId,
  url,
  token,
}: {
  readonly orgId: string;
  readonly url: string;
  readonly token?: string | undefined;
}): McpTarget {
  if (token === undefined) return { orgId, url, principal: "nobody" };
  return { orgId, url, principal: sha256Hex(token), credential: { token: async () => token } };
}

async function probe(target: McpTarget, deps: SessionDeps): Promise<VerifiedMcp> {
  const session = await openSession(target, { timeoutMs: TIMEOUT_MS }, deps);
  try {
    const { tools } = await session.client.listTools(undefined, { timeout: TIMEOUT_MS });
    const { tools: usable, skipped } = cleanedTools(tools);
    return { needsAuth: false, server: factsOf(session), tools: [...usable], skipped: [...skipped] };
  } catch (error) {
    throw asUnauthorized(error, session);
  } finally {
    void session.end();
  }
}

function factsOf({ client }: Session): VerifiedMcp["server"] {
  const { name, version } = client.getServerVersion() ?? {};
  const clean = (text: string | undefined) => (text === undefined ? null : cleanText(text, MAX_NAME_CHARS));
  return {
    name: clean(name),
    version: clean(version),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? null,
  };
}

/** The error for people who entered the address. */
export function refusal(error: unknown): AppError {
  const { code, message } = failureOf(error);
  switch (code) {
    case "blocked_address":
    case "bad_request":
      return new AppError(code, message, { cause: error });
    case "deadline_exceeded":
      return new AppError("deadline_exceeded", message, { cause: error });
    case "unavailable":
      return new AppError("vendor_failed", message, { cause: error });
    default:
      return new AppError("vendor_rejected", message, { cause: error });
  }
}
