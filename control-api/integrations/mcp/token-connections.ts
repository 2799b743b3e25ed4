import type { ConnectMcp, McpConnection } from "@parley/shared/contracts/mcp.ts";
import { AppError } from "@parley/shared/errors.ts";
import { mcpConnections } from "./connections.ts";
import { connectionFor, type SignInDeps } from "./sign-in/start.ts";
import { type VerifyDeps, verifyServer } from "./verify.ts";

/** The endpoint of a manually entered token, which cannot be renewed. */
const NOWHERE = {
  client: { id: "", secret: null, secretIn: "body" },
  tokenUrl: "",
  revokeUrl: null,
  resource: null,
} as const;

/**
 * Connects a server by a vendor's token, which is tried first and sealed, and never shown again. Throws `AppError`
 * not_found (no such connection), bad_request, conflict (too many), and what `verifyServer` throws.
 */
export async function connectByToken(
  { token, ...body }: ConnectMcp,
  by: { readonly orgId: string; readonly userId: string },
  deps: SignInDeps & VerifyDeps,
): Promise<McpConnection> {
  const { orgId } = by;
  await verifyServer({ url: body.url, token }, orgId, deps);
  const id = await connectionFor(body, by, deps);
  const given = { access: token, refresh: null, scope: null, expiresInSecs: null, reply: {} };
  await deps.grants.put({ orgId, id }, NOWHERE, given);
  const connection = (await mcpConnections(orgId, deps)).find((one) => one.id === id);
  if (!connection)
    throw new AppError("not_found", "The connection was deleted in the meantime. Start again.");
  return connection;
}
