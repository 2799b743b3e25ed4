import type { McpDirectoryEntry } from "@parley/shared/contracts/mcp.ts";
import { Link } from "@tanstack/react-router";
import { Loaded } from "../../ui/loaded.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { CategoryBar } from "./category-bar.tsx";
import { Logo } from "./logo.tsx";
import { matches } from "./matches.ts";
import { useMcpDirectory } from "./mcp-api.ts";

/** Well-known tool servers. */
export function ServerDirectory() {
  const loaded = useMcpDirectory();
  return (
    <section className="stack" aria-labelledby="directory-title">
      <h2 id="directory-title">Directory</h2>
      <Loaded of={loaded}>{(servers) => <Directory servers={servers} />}</Loaded>
    </section>
  );
}

function Directory({ servers }: { readonly servers: readonly McpDirectoryEntry[] }) {
  const [params, setParams] = useSearchParams();
  const search = params.get("search") ?? "";
  const category = params.get("category") ?? "";
  const show = (wanted: Readonly<Record<string, string>>): void =>
    setParams(
      new URLSearchParams(
        Object.entries({ search, category, ...wanted }).filter(([, value]) => value !== ""),
      ),
      { replace: true },
    );
  const found = servers.filter(({ name, description, categories }) =>
    matches(search, [name, description, ...categories.map(categoryName)]),
  );
  const shown = found.filter(
    ({ categories }) => category === "" || categories.map(categoryName).includes(category),
  );
  return (
    <>
      <CategoryBar
        search={{ label: "Search servers", text: search, onSearch: (text) => show({ search: text }) }}
        categories={servers.flatMap(({ categories }) => categories.map(categoryName))}
        found={found.map(({ categories }) => categories.map(categoryName))}
        chosen={category}
        onChoose={(wanted) => show({ category: wanted })}
      />
      <p className="only-heard" role="status">
        {shown.length} {shown.length === 1 ? "server" : "servers"}
      </p>
      {shown.length === 0 ? (
        <div className="pf-card panel">
          <p>No servers match. You can add any server by its URL.</p>
          <div className="row">
            <button type="button" className="pf-btn" onClick={() => show({ search: "", category: "" })}>
              Clear filters
            </button>
          </div>
        </div>
      ) : (
        <ul className="catalog-grid" aria-label="Servers">
          {shown.map((server) => (
            <DirectoryCard key={server.id} server={server} />
          ))}
        </ul>
      )}
    </>
  );
}

function DirectoryCard({ server }: { readonly server: McpDirectoryEntry }) {
  const { name, url, description, categories } = server;
  return (
    <li className="pf-card catalog-card">
      <Logo name={name} />
      <div className="catalog-card-what">
        <Link to="/integrations/servers/at" search={{ url }} className="catalog-card-name">
          {name}
        </Link>
        <p className="pf-muted">{description}</p>
        <p className="row catalog-card-facts">
          {categories.map((category) => (
            <span key={category} className="pf-badge">
              {categoryName(category)}
            </span>
          ))}
          <span className="pf-badge">{authText(server)}</span>
        </p>
      </div>
    </li>
  );
}

function authText({ auth, clientId }: McpDirectoryEntry): string {
  if (auth === "none") return "No sign-in";
  if (auth === "token") return "Access token";
  return clientId === "operator" ? "Sign-in, set up by your operator" : "Sign-in";
}

/** As the catalog of connectors names them. */
const NAMES: Readonly<Record<string, string>> = {
  ai: "AI",
  commerce: "E-commerce",
  crm: "CRM",
  database: "Databases",
  support: "Help desk",
};

function categoryName(category: string): string {
  const name = NAMES[category];
  if (name !== undefined) return name;
  return `${category.charAt(0).toUpperCase()}${category.slice(1)}`;
}
