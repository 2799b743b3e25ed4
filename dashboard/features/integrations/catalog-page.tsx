import type { IntegrationProvider } from "@parley/shared/contracts/integrations.ts";
import { Link } from "@tanstack/react-router";
import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { CategoryBar } from "./category-bar.tsx";
import { useConnections, useConnectors } from "./integrations-api.ts";
import { IntegrationsNav } from "./integrations-nav.tsx";
import { Logo } from "./logo.tsx";
import { matches } from "./matches.ts";

/** Every system that can be connected. */
export function CatalogPage() {
  const loaded = useConnectors();
  return (
    <AppPage title="Connect account">
      <IntegrationsNav current="catalog" />
      <Loaded of={loaded}>{(providers) => <Catalog providers={providers} />}</Loaded>
    </AppPage>
  );
}

function Catalog({ providers }: { readonly providers: readonly IntegrationProvider[] }) {
  const [params, setParams] = useSearchParams();
  const search = params.get("search") ?? "";
  const category = params.get("category") ?? "";
  const { data: connections = [] } = useConnections();
  const show = (wanted: Readonly<Record<string, string>>): void =>
    setParams(
      new URLSearchParams(
        Object.entries({ search, category, ...wanted }).filter(([, value]) => value !== ""),
      ),
      { replace: true },
    );
  const found = providers.filter((provider) => matches(search, textsOf(provider)));
  const shown = found.filter((provider) => category === "" || provider.category === category);
  return (
    <>
      <CategoryBar
        search={{ label: "Search connectors", text: search, onSearch: (text) => show({ search: text }) }}
        categories={providers.map((provider) => provider.category)}
        found={found.map((provider) => [provider.category])}
        chosen={category}
        onChoose={(wanted) => show({ category: wanted })}
      />
      <p className="only-heard" role="status">
        {shown.length} {shown.length === 1 ? "connector" : "connectors"}
      </p>
      {shown.length === 0 ? (
        <div className="pf-card panel">
          <p>
            No connectors match. You can reach your own API with{" "}
            <Link to="/integrations/catalog/$id" params={{ id: "http" }}>
              HTTP API
            </Link>
            , or a{" "}
            <Link to="/integrations/catalog/$id" params={{ id: "postgres" }}>
              Postgres
            </Link>{" "}
            database.
          </p>
          <div className="row">
            <button type="button" className="pf-btn" onClick={() => show({ search: "", category: "" })}>
              Clear filters
            </button>
          </div>
        </div>
      ) : (
        <ul className="catalog-grid" aria-label="Connectors">
          {shown.map((provider) => (
            <CatalogCard
              key={provider.providerId}
              provider={provider}
              connected={connections.filter(({ providerId }) => providerId === provider.providerId).length}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function textsOf({ name, category, description, capabilities }: IntegrationProvider): string[] {
  return [name, category, description, ...capabilities.flatMap((one) => [one.name, one.capability])];
}

interface CatalogCardProps {
  readonly provider: IntegrationProvider;
  /** How many accounts the organization has connected there. */
  readonly connected: number;
}

function CatalogCard({ provider, connected }: CatalogCardProps) {
  const { providerId, name, category, description } = provider;
  return (
    <li className="pf-card catalog-card">
      <Logo name={name} />
      <div className="catalog-card-what">
        <Link to="/integrations/catalog/$id" params={{ id: providerId }} className="catalog-card-name">
          {name}
        </Link>
        <p className="pf-muted">{description}</p>
        <p className="row catalog-card-facts">
          <span className="pf-badge">{category}</span>
          {connected > 0 && <span className="pf-badge tone-badge tone-good">{connected} connected</span>}
        </p>
      </div>
    </li>
  );
}
