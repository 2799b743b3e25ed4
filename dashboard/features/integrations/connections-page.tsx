import type { IntegrationProvider, OrgConnection } from "@parley/shared/contracts/integrations.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Time } from "../../ui/time.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { ConnectionStatus } from "./connection-status.tsx";
import { useConnections, useConnectors } from "./integrations-api.ts";
import { IntegrationsNav } from "./integrations-nav.tsx";
import { Logo } from "./logo.tsx";
import { CONSENT_WINDOW } from "./use-consent.ts";

const SHOWN_USERS = 3;

/** The accounts that agents act in; those that need attention come first. */
export function ConnectionsPage() {
  const { org } = useHere();
  const loaded = useConnections();
  const { data: providers } = useConnectors();
  const mayConnect = isAtLeast(org.role, "developer");
  useReturn();
  return (
    <AppPage title="Connections">
      <IntegrationsNav current="connections" />
      <Loaded of={loaded}>
        {(connections) =>
          connections.length === 0 ? (
            <NoConnections mayConnect={mayConnect} />
          ) : (
            <>
              <div className="row row-spread">
                <p className="pf-muted">Agents act in these accounts during calls and chats.</p>
                {mayConnect && (
                  <Link to="/integrations/catalog" className="pf-btn pf-btn-primary">
                    Connect an account
                  </Link>
                )}
              </div>
              <ul className="hook-list" aria-label="Connections">
                {connections
                  .toSorted((a, b) => urgency(a) - urgency(b))
                  .map((connection) => (
                    <ConnectionCard
                      key={connection.id}
                      connection={connection}
                      provider={providers?.find(({ providerId }) => providerId === connection.providerId)}
                    />
                  ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </AppPage>
  );
}

/** Handles the return from a vendor's consent: the window opened for it is done. */
function useReturn(): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const connectionId = params.get("connection");
  useEffect(() => {
    if (connectionId === null) return;
    if (window.name === CONSENT_WINDOW) window.close();
    void navigate({ to: "/integrations/connections/$id", params: { id: connectionId }, replace: true });
  }, [connectionId, navigate]);
}

function urgency({ status }: OrgConnection): number {
  return status === "active" ? 1 : 0;
}

function NoConnections({ mayConnect }: { readonly mayConnect: boolean }) {
  const { org } = useHere();
  return (
    <section className="pf-card panel">
      <h2>Let agents act in your systems</h2>
      <p>
        Connect your store, CRM, calendar or help desk. Agents can then look up an order or move an
        appointment while they talk.
      </p>
      {mayConnect ? (
        <div className="row">
          <Link to="/integrations/catalog" className="pf-btn pf-btn-primary">
            Connect an account
          </Link>
          <Link to="/integrations/catalog/$id" params={{ id: "demo-shop" }} className="pf-btn">
            Try the demo shop
          </Link>
        </div>
      ) : (
        <p className="pf-muted">
          Owners, admins and developers can connect accounts. Your role is {org.role}.
        </p>
      )}
    </section>
  );
}

interface ConnectionCardProps {
  readonly connection: OrgConnection;
  /** Undefined until the catalog is loaded. */
  readonly provider: IntegrationProvider | undefined;
}

function ConnectionCard({ connection, provider }: ConnectionCardProps) {
  const { id, label, providerId, status, settings, lastError, warnings, usedBy, verifiedAt } = connection;
  const name = provider?.name ?? providerId;
  const account = settings.account;
  return (
    <li className="pf-card hook-card connection-card">
      <div className="connection-card-what">
        <Logo name={name} />
        <div className="hook-card-what">
          <Link to="/integrations/connections/$id" params={{ id }} className="hook-url">
            {label}
          </Link>
          <p className="pf-muted hook-card-wants">
            {[label === name ? undefined : name, account].filter(Boolean).join(" · ")}
          </p>
          {status === "error" && lastError && <p className="connection-error">{lastError}</p>}
          {status === "active" && warnings[0] && <p className="pf-muted hook-card-wants">{warnings[0]}</p>}
          <p className="pf-muted hook-card-wants">{usedText(usedBy.map((use) => use.name))}</p>
        </div>
      </div>
      <div className="connection-card-state">
        <ConnectionStatus status={status} isWarned={warnings.length > 0} />
        {verifiedAt && (
          <p className="pf-muted hook-card-wants">
            Checked <Time at={verifiedAt} />
          </p>
        )}
      </div>
    </li>
  );
}

function usedText(names: readonly string[]): string {
  if (names.length === 0) return "Not used by any agent";
  const more = names.length - SHOWN_USERS;
  return `Used by ${names.slice(0, SHOWN_USERS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
