import type { McpConnection } from "@parley/shared/contracts/mcp.ts";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { ConnectionStatus } from "./connection-status.tsx";
import { ConsentPanel } from "./consent-panel.tsx";
import { mcpPath, useMcpConnections, useMcpDirectory, useMcpTools } from "./mcp-api.ts";
import { NeedsSignIn } from "./needs-sign-in.tsx";
import { ServerTools } from "./server-tools.tsx";
import { useMcpSignIn } from "./use-mcp-sign-in.ts";
import { AgentLink } from "./used-by.tsx";

function BackLink() {
  return (
    <Link to="/integrations/servers" className="back-link">
      <Icon name="back" /> Tool servers
    </Link>
  );
}

/** A server by address: what it offers anonymously or with a token, and the sign-in. */
export function AddressedServerPage() {
  const [params] = useSearchParams();
  const url = params.get("url") ?? "";
  const { data: directory } = useMcpDirectory();
  const known = directory?.find((entry) => entry.url === url);
  const [token, setToken] = useState<string>();
  const loaded = useMcpTools({ url, token });
  return (
    <>
      <BackLink />
      <AppPage title={known?.name ?? hostOf(url)}>
        <p className="pf-muted">
          {url}
          {known && (
            <>
              {" · "}
              <a href={known.docsUrl} target="_blank" rel="noreferrer">
                Documentation<span className="only-heard"> (opens a new tab)</span>
              </a>
            </>
          )}
        </p>
        <Loaded of={loaded}>
          {(found) =>
            found.needsAuth ? (
              <NeedsSignIn url={url} known={known} found={found} onToken={setToken} />
            ) : (
              <ServerTools found={found} at={{ url, token }} />
            )
          }
        </Loaded>
      </AppPage>
    </>
  );
}

/** A server that a member signed in to. */
export function ConnectedServerPage() {
  const { id } = useParams({ from: "/organization/integrations/servers/$id" });
  const connections = useMcpConnections();
  const connection = connections.data?.find((one) => one.id === id);
  return (
    <>
      <BackLink />
      {connection && <KnownServer connection={connection} reload={connections.reload} />}
      {!connection && connections.data && (
        <AppPage title="Tool server">
          <p>This server doesn’t exist or was disconnected.</p>
        </AppPage>
      )}
      <Loaded of={connections}>{() => null}</Loaded>
    </>
  );
}

interface KnownServerProps {
  readonly connection: McpConnection;
  readonly reload: () => Promise<void>;
}

function KnownServer({ connection, reload }: KnownServerProps) {
  const { id, label, url, status, lastError } = connection;
  const [isLeaving, setLeaving] = useState(false);
  const consent = useMcpSignIn({ url, label, mcpConnectionId: id, onDone: reload });
  return (
    <AppPage title={label}>
      <div className="row row-spread">
        <p className="row">
          <ConnectionStatus status={status} />
          <span className="pf-muted">{url}</span>
        </p>
        <button type="button" className="pf-btn" onClick={() => setLeaving(true)}>
          Disconnect
        </button>
      </div>
      {status === "active" ? (
        <SignedIn connection={connection} />
      ) : (
        <section className="pf-card panel" aria-label="Sign in">
          <p>{lastError ?? "The sign-in was not finished. Agents can’t use this server yet."}</p>
          <ConsentPanel consent={consent} name={label} does="Sign in" />
        </section>
      )}
      {isLeaving && (
        <DisconnectDialog connection={connection} reload={reload} onClose={() => setLeaving(false)} />
      )}
    </AppPage>
  );
}

function SignedIn({ connection: { id, url } }: { readonly connection: McpConnection }) {
  const loaded = useMcpTools({ url, mcpConnectionId: id });
  return (
    <Loaded of={loaded}>
      {(found) =>
        found.needsAuth ? (
          <p>{found.message}</p>
        ) : (
          <ServerTools found={found} at={{ url, mcpConnectionId: id }} />
        )
      }
    </Loaded>
  );
}

type UsingAgent = Parameters<typeof AgentLink>[0]["agent"];

function DisconnectDialog({
  connection,
  reload,
  onClose,
}: KnownServerProps & { readonly onClose: () => void }) {
  const session = useSession();
  const { org } = useHere();
  const navigate = useNavigate();
  const [users, setUsers] = useState<readonly UsingAgent[]>([]);
  const isForced = users.length > 0;
  const disconnect = async (): Promise<void> => {
    const path = `${mcpPath(org.id)}/connections/${connection.id}?force=${isForced}`;
    try {
      await session.call(path, { method: "DELETE", orgId: org.id });
    } catch (error) {
      const usedBy = error instanceof ApiError ? error.details.usedBy : undefined;
      if (!Array.isArray(usedBy)) throw error;
      setUsers(usedBy as UsingAgent[]);
      return;
    }
    await navigate({ to: "/integrations/servers" });
    await reload();
  };
  return (
    <FormDialog
      title={`Disconnect ${connection.label}?`}
      does={isForced ? "Disconnect anyway" : "Disconnect"}
      isDanger
      onSubmit={disconnect}
      onClose={onClose}
    >
      <p>Access is revoked at the server.</p>
      {isForced && (
        <>
          <p role="alert">These agents have tools of it, which stop working:</p>
          <ul className="capability-list">
            {users.map((agent) => (
              <li key={agent.agentId}>
                <AgentLink agent={agent} />
              </li>
            ))}
          </ul>
        </>
      )}
    </FormDialog>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "Tool server";
}
