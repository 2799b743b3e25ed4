import { Link } from "@tanstack/react-router";

const PARTS = [
  { id: "connections", name: "Connections", to: "/integrations" },
  { id: "catalog", name: "Catalog", to: "/integrations/catalog" },
  { id: "servers", name: "Tool servers", to: "/integrations/servers" },
] as const;

/** Navigation between the integration pages. */
export function IntegrationsNav({ current }: { readonly current: (typeof PARTS)[number]["id"] }) {
  return (
    <nav className="agent-nav" aria-label="Integrations">
      {PARTS.map(({ id, name, to }) => (
        <Link
          key={id}
          to={to}
          className="agent-nav-link"
          activeOptions={{ exact: true }}
          aria-current={id === current ? "page" : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
