import type { McpConnection } from "@parley/shared/contracts/mcp.ts";
import { useRef } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { mcpPath } from "./mcp-api.ts";
import { type Consent, useConsent } from "./use-consent.ts";

interface McpSignIn {
  readonly url: string;
  readonly label?: string | undefined;
  /** An existing connection to sign in to again. */
  readonly mcpConnectionId?: string;
  /** Receives the connection that is now active. */
  readonly onDone: (mcpConnectionId: string) => Promise<void>;
}

/** Signs a person in to a tool server. */
export function useMcpSignIn({ url, label, mcpConnectionId, onDone }: McpSignIn): Consent {
  const session = useSession();
  const { org } = useHere();
  const begun = useRef("");
  return useConsent({
    begin: async () => {
      const body = {
        url,
        ...(label === undefined ? {} : { label }),
        ...(mcpConnectionId === undefined ? {} : { mcpConnectionId }),
      };
      const path = `${mcpPath(org.id)}/oauth/start`;
      const started = await session.call<{ authorizeUrl: string; mcpConnectionId: string }>(path, {
        orgId: org.id,
        body,
      });
      begun.current = started.mcpConnectionId;
      return started.authorizeUrl;
    },
    isDone: async () => {
      const path = `${mcpPath(org.id)}/connections`;
      const { connections } = await session.call<{ connections: McpConnection[] }>(path, {
        method: "GET",
        orgId: org.id,
      });
      return connections.find(({ id }) => id === begun.current)?.status === "active";
    },
    onDone: () => onDone(begun.current),
  });
}
