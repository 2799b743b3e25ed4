import type { McpConnection } from "@parley/shared/contracts/mcp.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import type { Grants } from "../oauth/grants.ts";
import { assertUnused } from "../users.ts";
import type { McpTarget } from "./client/session.ts";
import {
  deleteMcpConnection,
  findMcpConnection,
  listMcpConnections,
  type StoredMcpConnection,
  setWantedScope,
} from "./sign-in/connection-store.ts";

export interface McpConnectionDeps {
  readonly database: Database;
  readonly grants: Grants;
}

/** An organization's connections, oldest first. */
export async function mcpConnections(
  orgId: string,
  { database }: McpConnectionDeps,
): Promise<McpConnection[]> {
  return (await listMcpConnections(database, orgId)).map((row) => ({
    id: row.id,
    url: row.url,
    label: row.label,
    status: row.grantStatus ?? "disconnected",
    lastError: row.lastError,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
  }));
}

/** A server as the signed-in user. Throws `AppError` bad_request if no one signed in, or to another address. */
export async function connectedTarget(
  { orgId, id, url }: { readonly orgId: string; readonly id: string; readonly url?: string | undefined },
  { database, grants }: McpConnectionDeps,
): Promise<McpTarget & { readonly connection: StoredMcpConnection }> {
  const connection = await findMcpConnection(database, orgId, id);
  if (!connection)
    throw new AppError("bad_request", `There is no connection ${id} here; connect the server.`);
  if (connection.grantStatus === null)
    throw new AppError("bad_request", `The sign-in of the connection ${id} is not completed; sign in first.`);
  // A token is only sent to the server it was issued for.
  if (url !== undefined && url !== connection.url)
    throw new AppError(
      "bad_request",
      `The connection ${id} is one to ${connection.url}, not to this address.`,
    );
  const ref = { orgId, id };
  let sent: string | undefined;
  return {
    orgId,
    url: connection.url,
    principal: id,
    connection,
    credential: {
      token: async () => {
        sent = await grants.accessToken(ref);
        return sent;
      },
      renew: async () => void (await grants.renewed(ref, sent ?? "")),
    },
  };
}

/** Most scopes of one consent; further demands of a server are ignored. */
const MAX_SCOPES = 64;

/** Records a server's demand for more rights, so that the next sign-in requests them as well. */
export async function noteWantedScope(
  { orgId, id, scope }: { readonly orgId: string; readonly id: string; readonly scope: string },
  { database, grants }: McpConnectionDeps,
): Promise<void> {
  const given = await grants.scopeOf({ orgId, id });
  const all = new Set([...(given?.split(" ") ?? []), ...scope.split(" ")].filter((one) => SCOPE.test(one)));
  await setWantedScope(database, { orgId, id, scope: [...all].slice(0, MAX_SCOPES).join(" ") });
}

/** Scope syntax of RFC 6749, with a length limit. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/;

/**
 * Disconnects a server and gives the access back. False if there is no such connection. With `force`, agents' tools of
 * the server stop working; without it, throws `AppError` conflict if there are any (the message names them).
 */
export async function disconnectMcp(
  { orgId, id, force }: { readonly orgId: string; readonly id: string; readonly force: boolean },
  { database, grants }: McpConnectionDeps,
): Promise<boolean> {
  const gone = await database.db.transaction().execute(async (trx) => {
    if (!force) await assertUnused(trx, { orgId, tool: { config: { mcpConnectionId: id } } });
    if (!(await deleteMcpConnection(trx, orgId, id))) return undefined;
    return { tellVendor: await grants.forget({ orgId, id }, trx) };
  });
  await gone?.tellVendor?.();
  return gone !== undefined;
}
