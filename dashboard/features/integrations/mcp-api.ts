import type {
  McpConnection,
  McpDirectoryEntry,
  McpNeedsAuth,
  VerifiedMcp,
} from "@parley/shared/contracts/mcp.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

const REFRESH_MS = 30_000;

/** API path of an organization's tool servers. */
export function mcpPath(orgId: string): string {
  return `/api/orgs/${orgId}/mcp`;
}

/** Tool servers that a member of the organization signed in to. */
export function useMcpConnections(): Data<readonly McpConnection[]> {
  const session = useSession();
  const { org } = useHere();
  const path = `${mcpPath(org.id)}/connections`;
  return useData(
    path,
    async () => {
      const { connections } = await session.call<{ connections: McpConnection[] }>(path, {
        method: "GET",
        orgId: org.id,
      });
      return connections;
    },
    { everyMs: REFRESH_MS, isList: true },
  );
}

/** Well-known tool servers. */
export function useMcpDirectory(): Data<readonly McpDirectoryEntry[]> {
  const session = useSession();
  const { org } = useHere();
  const path = `${mcpPath(org.id)}/directory`;
  return useData(
    path,
    async () => {
      const { servers } = await session.call<{ servers: McpDirectoryEntry[] }>(path, {
        method: "GET",
        orgId: org.id,
      });
      return servers;
    },
    { isList: true },
  );
}

/** A server, and the authorization to use it. */
export interface McpServerRef {
  readonly url: string;
  readonly mcpConnectionId?: string | undefined;
  readonly token?: string | undefined;
}

/** A server's tools, requested from it when the page opens. */
export function useMcpTools({ url, mcpConnectionId, token }: McpServerRef): Data<VerifiedMcp | McpNeedsAuth> {
  const session = useSession();
  const { org } = useHere();
  const path = `${mcpPath(org.id)}/verify`;
  const body = {
    url,
    ...(mcpConnectionId === undefined ? {} : { mcpConnectionId }),
    ...(token === undefined ? {} : { token }),
  };
  return useData(`${path} ${JSON.stringify(body)}`, () =>
    session.call<VerifiedMcp | McpNeedsAuth>(path, { orgId: org.id, body }),
  );
}
