import type { OrgConnection } from "@parley/shared/contracts/integrations.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { connectionColumns } from "./connection-columns.tsx";
import { useConnections, useConnectors } from "./integrations-api.ts";
import { IntegrationsNav } from "./integrations-nav.tsx";
import { CONSENT_WINDOW } from "./use-consent.ts";

/** The accounts that agents act in; those that need attention come first. */
export function ConnectionsPage() {
  const { org } = useHere();
  const loaded = useConnections();
  const { data: providers } = useConnectors();
  const columns = useMemo(() => connectionColumns(providers), [providers]);
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
                    Connect account
                  </Link>
                )}
              </div>
              <DataTable
                name="connections"
                label="List of connections"
                columns={columns}
                rows={connections.toSorted((a, b) => urgency(a) - urgency(b))}
                of={loaded}
                rowId={({ id }) => id}
                readAll="rows"
                empty={null}
              />
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
            Connect account
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
