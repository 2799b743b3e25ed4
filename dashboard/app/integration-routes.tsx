import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "./lazy-page.ts";
import { within } from "./organization-route.tsx";
import { PAGES } from "./pages.ts";
import { searchOf } from "./search.ts";

const connections = createRoute({
  ...within,
  path: "/integrations",
  // A vendor redirects the browser back with it.
  validateSearch: searchOf("connection", "sort"),
  component: lazyPage(PAGES["/integrations"], "ConnectionsPage"),
});

const connection = createRoute({
  ...within,
  path: "/integrations/connections/$id",
  validateSearch: searchOf("new", "sort"),
  component: lazyPage(PAGES["/integrations/connections/$id"], "ConnectionPage"),
});

const catalog = createRoute({
  ...within,
  path: "/integrations/catalog",
  validateSearch: searchOf("search", "category"),
  component: lazyPage(PAGES["/integrations/catalog"], "CatalogPage"),
});

const connector = createRoute({
  ...within,
  path: "/integrations/catalog/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/integrations/catalog/$id"], "ConnectPage"),
});

const toolServers = createRoute({
  ...within,
  path: "/integrations/servers",
  validateSearch: searchOf("search", "category", "sort"),
  component: lazyPage(PAGES["/integrations/servers"], "ToolServersPage"),
});

const addressedServer = createRoute({
  ...within,
  path: "/integrations/servers/at",
  validateSearch: searchOf("url"),
  component: lazyPage(PAGES["/integrations/servers/at"], "AddressedServerPage"),
});

const connectedServer = createRoute({
  ...within,
  path: "/integrations/servers/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/integrations/servers/$id"], "ConnectedServerPage"),
});

/** Connected systems and tool servers. */
export const integrationRoutes = [
  connections,
  connection,
  catalog,
  connector,
  toolServers,
  addressedServer,
  connectedServer,
] as const;
