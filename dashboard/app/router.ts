import { createRouter } from "@tanstack/react-router";
import type { Session } from "../api/session.ts";
import { FailedPage, UnknownPage } from "./other-pages.tsx";
import { routes } from "./routes.tsx";
import { parseSearch, stringifySearch } from "./search.ts";

/** The dashboard's router; pointing at a link preloads its page. */
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
  interface HistoryState {
    /** For an app's page: the dashboard button that opened it, and where it was. */
    readonly opened?: { readonly contributionId: string; readonly context: Readonly<Record<string, string>> };
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
