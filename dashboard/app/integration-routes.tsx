import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { within } from "./organization-route.tsx";
import { searchOf } from "./search.ts";

const connections = createRoute({
  ...within,
  path: "/integrations",
  // A vendor redirects the browser back with it.
  validateSearch: searchOf("connection", "sort"),
  component: lazyRouteComponent(
    () => import("../features/integrations/connections-page.tsx"),
    "ConnectionsPage",
  ),
});

const connection = createRoute({
  ...within,
  path: "/integrations/connections/$id",
  validateSearch: searchOf("new", "sort"),
  component: lazyRouteComponent(
    () => import("../features/integrations/connection-page.tsx"),
    "ConnectionPage",
  ),
});

const catalog = createRoute({
  ...within,
  path: "/integrations/catalog",
  validateSearch: searchOf("search", "category"),
  component: lazyRouteComponent(() => import("../features/integrations/catalog-page.tsx"), "CatalogPage"),
});

const connector = createRoute({
  ...within,
  path: "/integrations/catalog/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(() => import("../features/integrations/connect-page.tsx"), "ConnectPage"),
});

const toolServers = createRoute({
  ...within,
  path: "/integrations/servers",
  validateSearch: searchOf("search", "category"),
  component: lazyRouteComponent(
    () => import("../features/integrations/tool-servers-page.tsx"),
    "ToolServersPage",
  ),
});

const addressedServer = createRoute({
  ...within,
  path: "/integrations/servers/at",
  validateSearch: searchOf("url"),
  component: lazyRouteComponent(
    () => import("../features/integrations/server-page.tsx"),
    "AddressedServerPage",
  ),
});

const connectedServer = createRoute({
  ...within,
  path: "/integrations/servers/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(
    () => import("../features/integrations/server-page.tsx"),
    "ConnectedServerPage",
  ),
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
