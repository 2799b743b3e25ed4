import { createRouter } from "@tanstack/react-router";
import type { Session } from "../api/session.ts";
import { FailedPage, UnknownPage } from "./other-pages.tsx";
import { routes } from "./routes.tsx";
import { parseSearch, stringifySearch } from "./search.ts";

/** The ways between the dashboard's pages; what a page needs is loaded when one points at a link to it. */
export function createAppRouter(session: Session) {
  return createRouter({
    routeTree: routes,
    context: { session },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultNotFoundComponent: UnknownPage,
    defaultErrorComponent: FailedPage,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
