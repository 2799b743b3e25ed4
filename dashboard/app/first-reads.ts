import type { Me } from "@parley/shared/contracts/accounts.ts";
import type { Batch } from "@parley/shared/contracts/batch.ts";
import { shownOrganization, storedOrganization } from "../api/shown-organization.ts";
import { mayCall } from "../features/softphone/may-call.ts";
import { type PAGES, pageAt } from "./pages.ts";

type Read = Batch["reads"][number];

const AGENTS = "/api/agents?limit=200";
const NUMBERS = "/api/voice/numbers";

/** What pages read first in their organization, after its path, besides what all of them do. */
const OF_PAGES: { readonly [Page in keyof typeof PAGES]?: () => readonly string[] } = {
  "/": () => [`/analytics/overview?${sinceMidnight()}`, "/calls?limit=8"],
  "/agents": () => ["/api/agents?limit=25&offset=0", NUMBERS],
  "/apps": () => ["/apps"],
  "/audit": () => ["/audit?limit=50", "/members"],
  "/billing": () => [
    "/usage?by=agent",
    "/billing",
    "/billing/numbers",
    "/billing/invoices",
    "/billing/payments",
  ],
  "/calls": () => ["/calls?limit=50", AGENTS],
  "/campaigns": () => ["/campaigns?limit=100", AGENTS],
  "/channels": () => ["/whatsapp-cloud/channels", AGENTS],
  "/data": () => ["/retention", "/pii-policy"],
  "/do-not-call": () => ["/dnc?limit=100"],
  "/inbox": () => ["/whatsapp-hub/threads?limit=100"],
  "/instagram": () => ["/instagram/channels"],
  "/integrations": () => ["/integrations/connections", "/integrations/providers"],
  "/keys": () => ["/api-keys"],
  "/knowledge": () => ["/knowledge-bases"],
  "/live": () => ["/calls?live=true&limit=100"],
  "/members": () => ["/members"],
  "/memory": () => ["/memory", AGENTS],
  "/numbers": () => [NUMBERS, AGENTS, "/members"],
  "/tracks": () => ["/ambient-tracks"],
  "/webhooks": () => ["/webhooks", "/webhooks/health?range=day", AGENTS],
  "/whatsapp-campaigns": () => ["/whatsapp-campaigns?limit=100"],
};

/**
 * What the page at an address will ask for as soon as it is shown, to be asked for while the browser reads its code. What a
 * page asks for differently is asked for again: a test finds that.
 */
export function firstReads({ pathname, search }: Location, me: Me): readonly Read[] {
  const org = shownOrganization(me, storedOrganization());
  if (!org) return [];
  const paths = ["/notices", "/apps?installed=true"];
  if (mayCall({ org })) paths.push(`/calls?channel=softphone&userId=${me.id}&limit=10`, NUMBERS);
  const page = pageAt(pathname);
  // Filters are part of what a page asks for.
  if (page && search === "") paths.push(...(OF_PAGES[page]?.() ?? []));
  return [...new Set(paths)].map((path) => ({
    path: path.startsWith("/api/") ? path : `/api/orgs/${org.id}${path}`,
    orgId: org.id,
  }));
}

function sinceMidnight(): URLSearchParams {
  return new URLSearchParams({ since: new Date(new Date().setHours(0, 0, 0, 0)).toISOString() });
}
