import { createRootRouteWithContext, createRoute, redirect } from "@tanstack/react-router";
import type { Session } from "../api/session.ts";
import { OrganizationFrame } from "./organization-frame.tsx";
import { Root } from "./root.tsx";

export const root = createRootRouteWithContext<{ readonly session: Session }>()({ component: Root });

/** Wraps all pages: the signed-in person, the shown organization and its softphone. */
export const organization = createRoute({
  getParentRoute: () => root,
  id: "organization",
  component: OrganizationFrame,
  beforeLoad: ({ context, location }) => {
    if (context.session.isSignedIn) return;
    throw redirect({ href: `/sign-in?next=${encodeURIComponent(location.href)}`, reloadDocument: true });
  },
});
/** Makes a route a page of the shown organization. */
export const within = { getParentRoute: () => organization } as const;
