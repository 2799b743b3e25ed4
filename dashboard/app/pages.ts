/**
 * What loads the page of each address. The first script of a visit begins with it before the router, which uses the
 * same entries, is there.
 */
export const PAGES = {
  "/": () => import("../features/home/home-page.tsx"),
  "/softphone": () => import("../features/softphone/softphone-page.tsx"),
  "/agents": () => import("../features/agents/agents-page.tsx"),
  "/agents/$id/{-$section}": () => import("../features/agents/agent-page.tsx"),
  "/agents/templates": () => import("../features/agents/templates-page.tsx"),
  "/knowledge": () => import("../features/knowledge/knowledge-page.tsx"),
  "/knowledge/$id": () => import("../features/knowledge/base-page.tsx"),
  "/channels": () => import("../features/messaging/channels-page.tsx"),
  "/channels/$id": () => import("../features/messaging/channel-page.tsx"),
  "/instagram": () => import("../features/messaging/instagram-page.tsx"),
  "/inbox": () => import("../features/messaging/inbox-page.tsx"),
  "/campaigns": () => import("../features/campaigns/campaigns-page.tsx"),
  "/campaigns/$id": () => import("../features/campaigns/campaign-page.tsx"),
  "/whatsapp-campaigns": () => import("../features/whatsapp-campaigns/whatsapp-campaigns-page.tsx"),
  "/whatsapp-campaigns/$id": () => import("../features/whatsapp-campaigns/whatsapp-campaign-page.tsx"),
  "/do-not-call": () => import("../features/campaigns/do-not-call-page.tsx"),
  "/memory": () => import("../features/memory/memory-page.tsx"),
  "/apps": () => import("../features/apps/apps-page.tsx"),
  "/apps/$id": () => import("../features/apps/app-settings-page.tsx"),
  "/apps/$id/pages/$pageId": () => import("../features/apps/app-page.tsx"),
  "/analytics": () => import("../features/analytics/analytics-page.tsx"),
  "/numbers": () => import("../features/numbers/numbers-page.tsx"),
  "/live": () => import("../features/live/live-page.tsx"),
  "/calls": () => import("../features/calls/calls-page.tsx"),
  "/calls/$id": () => import("../features/calls/call-page.tsx"),
  "/tracks": () => import("../features/tracks/tracks-page.tsx"),
  "/keys": () => import("../features/settings/keys-page.tsx"),
  "/webhooks": () => import("../features/webhooks/webhooks-page.tsx"),
  "/webhooks/$id": () => import("../features/webhooks/endpoint-page.tsx"),
  "/members": () => import("../features/settings/members-page.tsx"),
  "/data": () => import("../features/settings/data-page.tsx"),
  "/audit": () => import("../features/settings/audit-page.tsx"),
  "/billing": () => import("../features/billing/billing-page.tsx"),
  "/billing/invoices/$id": () => import("../features/billing/invoice-page.tsx"),
  "/operator": () => import("../features/operator/operator-page.tsx"),
  "/security": () => import("../features/settings/security-page.tsx"),
  "/integrations": () => import("../features/integrations/connections-page.tsx"),
  "/integrations/connections/$id": () => import("../features/integrations/connection-page.tsx"),
  "/integrations/catalog": () => import("../features/integrations/catalog-page.tsx"),
  "/integrations/catalog/$id": () => import("../features/integrations/connect-page.tsx"),
  "/integrations/servers": () => import("../features/integrations/tool-servers-page.tsx"),
  "/integrations/servers/at": () => import("../features/integrations/server-page.tsx"),
  "/integrations/servers/$id": () => import("../features/integrations/server-page.tsx"),
} as const;

/** The route of an address, as the router would choose it; undefined where there is no page. */
export function pageAt(pathname: string): keyof typeof PAGES | undefined {
  const parts = partsOf(pathname);
  const [route] = (Object.keys(PAGES) as (keyof typeof PAGES)[])
    .filter((each) => fits(partsOf(each), parts))
    // `/agents/templates` before `/agents/$id`.
    .toSorted((one, other) => one.split("$").length - other.split("$").length);
  return route;
}

/** Begins to load the page of an address; the router reports what fails. */
export function beginPage(pathname: string): void {
  const route = pageAt(pathname);
  if (route !== undefined) PAGES[route]().catch(() => undefined);
}

function partsOf(address: string): string[] {
  return address.split("/").filter((part) => part !== "");
}

/** Whether an address is that of a route: `$id` stands for any part, `{-$section}` for one that may be missing. */
function fits(route: readonly string[], parts: readonly string[]): boolean {
  return (
    parts.length <= route.length &&
    route.every((part, at) => {
      const there = parts[at];
      return there === undefined ? part.startsWith("{-$") : part.includes("$") || part === there;
    })
  );
}
