import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { FILTERS, WORD_FILTERS } from "../features/calls/call-query.ts";
import { integrationRoutes } from "./integration-routes.tsx";
import { organization, root, within } from "./organization-route.tsx";
import { searchOf } from "./search.ts";

const home = createRoute({
  ...within,
  path: "/",
  component: lazyRouteComponent(() => import("../features/home/home-page.tsx"), "HomePage"),
});

const softphone = createRoute({
  ...within,
  path: "/softphone",
  validateSearch: searchOf("to"),
  component: lazyRouteComponent(() => import("../features/softphone/softphone-page.tsx"), "SoftphonePage"),
});

const agents = createRoute({
  ...within,
  path: "/agents",
  validateSearch: searchOf("search", "offset", "create"),
  component: lazyRouteComponent(() => import("../features/agents/agents-page.tsx"), "AgentsPage"),
});

const agent = createRoute({
  ...within,
  path: "/agents/$id/{-$section}",
  // The call whose path the flow shows, and the order of versions or reports.
  validateSearch: searchOf("call", "sort"),
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(() => import("../features/agents/agent-page.tsx"), "AgentPage"),
});

const agentTemplates = createRoute({
  ...within,
  path: "/agents/templates",
  component: lazyRouteComponent(() => import("../features/agents/templates-page.tsx"), "TemplatesPage"),
});

const knowledge = createRoute({
  ...within,
  path: "/knowledge",
  component: lazyRouteComponent(() => import("../features/knowledge/knowledge-page.tsx"), "KnowledgePage"),
});

const knowledgeBase = createRoute({
  ...within,
  path: "/knowledge/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(() => import("../features/knowledge/base-page.tsx"), "KnowledgeBasePage"),
});

const channels = createRoute({
  ...within,
  path: "/channels",
  component: lazyRouteComponent(() => import("../features/messaging/channels-page.tsx"), "ChannelsPage"),
});

const channel = createRoute({
  ...within,
  path: "/channels/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(() => import("../features/messaging/channel-page.tsx"), "ChannelPage"),
});

const instagram = createRoute({
  ...within,
  path: "/instagram",
  component: lazyRouteComponent(() => import("../features/messaging/instagram-page.tsx"), "InstagramPage"),
});

const inbox = createRoute({
  ...within,
  path: "/inbox",
  validateSearch: searchOf("thread"),
  component: lazyRouteComponent(() => import("../features/messaging/inbox-page.tsx"), "InboxPage"),
});

const campaigns = createRoute({
  ...within,
  path: "/campaigns",
  validateSearch: searchOf("sort"),
  component: lazyRouteComponent(() => import("../features/campaigns/campaigns-page.tsx"), "CampaignsPage"),
});

const campaign = createRoute({
  ...within,
  path: "/campaigns/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(() => import("../features/campaigns/campaign-page.tsx"), "CampaignPage"),
});

const whatsAppCampaigns = createRoute({
  ...within,
  path: "/whatsapp-campaigns",
  component: lazyRouteComponent(
    () => import("../features/whatsapp-campaigns/whatsapp-campaigns-page.tsx"),
    "WhatsAppCampaignsPage",
  ),
});

const whatsAppCampaign = createRoute({
  ...within,
  path: "/whatsapp-campaigns/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(
    () => import("../features/whatsapp-campaigns/whatsapp-campaign-page.tsx"),
    "WhatsAppCampaignPage",
  ),
});

const doNotCall = createRoute({
  ...within,
  path: "/do-not-call",
  validateSearch: searchOf("search", "before"),
  component: lazyRouteComponent(() => import("../features/campaigns/do-not-call-page.tsx"), "DoNotCallPage"),
});

const memory = createRoute({
  ...within,
  path: "/memory",
  validateSearch: searchOf("identifier", "agent", "before"),
  component: lazyRouteComponent(() => import("../features/memory/memory-page.tsx"), "MemoryPage"),
});

const apps = createRoute({
  ...within,
  path: "/apps",
  component: lazyRouteComponent(() => import("../features/apps/apps-page.tsx"), "AppsPage"),
});

const app = createRoute({
  ...within,
  path: "/apps/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(() => import("../features/apps/app-settings-page.tsx"), "AppSettingsPage"),
});

const appPage = createRoute({
  ...within,
  path: "/apps/$id/pages/$pageId",
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => import("../features/apps/app-page.tsx"), "AppMenuPage"),
});

const analytics = createRoute({
  ...within,
  path: "/analytics",
  validateSearch: searchOf("days", "agentId", "channel"),
  component: lazyRouteComponent(() => import("../features/analytics/analytics-page.tsx"), "AnalyticsPage"),
});

const numbers = createRoute({
  ...within,
  path: "/numbers",
  validateSearch: searchOf("sort"),
  component: lazyRouteComponent(() => import("../features/numbers/numbers-page.tsx"), "NumbersPage"),
});

const live = createRoute({
  ...within,
  path: "/live",
  validateSearch: searchOf("call"),
  component: lazyRouteComponent(() => import("../features/live/live-page.tsx"), "LivePage"),
});

const calls = createRoute({
  ...within,
  path: "/calls",
  validateSearch: searchOf(...FILTERS, ...WORD_FILTERS, "before"),
  component: lazyRouteComponent(() => import("../features/calls/calls-page.tsx"), "CallsPage"),
});

const call = createRoute({
  ...within,
  path: "/calls/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(() => import("../features/calls/call-page.tsx"), "CallPage"),
});

const tracks = createRoute({
  ...within,
  path: "/tracks",
  component: lazyRouteComponent(() => import("../features/tracks/tracks-page.tsx"), "TracksPage"),
});

const keys = createRoute({
  ...within,
  path: "/keys",
  validateSearch: searchOf("sort"),
  component: lazyRouteComponent(() => import("../features/settings/keys-page.tsx"), "KeysPage"),
});

const webhooks = createRoute({
  ...within,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../features/webhooks/webhooks-page.tsx"), "WebhooksPage"),
});

const webhook = createRoute({
  ...within,
  path: "/webhooks/$id",
  validateSearch: searchOf("status", "event", "search", "before", "delivery"),
  component: lazyRouteComponent(() => import("../features/webhooks/endpoint-page.tsx"), "EndpointPage"),
});

const members = createRoute({
  ...within,
  path: "/members",
  validateSearch: searchOf("sort"),
  component: lazyRouteComponent(() => import("../features/settings/members-page.tsx"), "MembersPage"),
});

const data = createRoute({
  ...within,
  path: "/data",
  component: lazyRouteComponent(() => import("../features/settings/data-page.tsx"), "DataPage"),
});

const audit = createRoute({
  ...within,
  path: "/audit",
  validateSearch: searchOf("action", "userId", "before"),
  component: lazyRouteComponent(() => import("../features/settings/audit-page.tsx"), "AuditPage"),
});

const billing = createRoute({
  ...within,
  path: "/billing",
  validateSearch: searchOf("sort"),
  component: lazyRouteComponent(() => import("../features/billing/billing-page.tsx"), "BillingPage"),
});

const invoice = createRoute({
  ...within,
  path: "/billing/invoices/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyRouteComponent(() => import("../features/billing/invoice-page.tsx"), "InvoicePage"),
});

const operator = createRoute({
  ...within,
  path: "/operator",
  validateSearch: searchOf("search", "before", "sort"),
  component: lazyRouteComponent(() => import("../features/operator/operator-page.tsx"), "OperatorPage"),
});

const security = createRoute({
  ...within,
  path: "/security",
  validateSearch: searchOf("sort"),
  component: lazyRouteComponent(() => import("../features/settings/security-page.tsx"), "SecurityPage"),
});

/** The pages' former addresses, still used by links in mails, bookmarks and other people's documents. */
const before = createRoute({
  getParentRoute: () => root,
  path: "/settings/$",
  beforeLoad: ({ params, location }) => {
    throw redirect({ href: `/${params._splat ?? ""}${location.searchStr}`, replace: true });
  },
});

/**
 * All pages except sign-in and the talk page. A new page needs a lazy route here, an address in `APP_PAGES`
 * of the contracts, so that the control API serves it, and a link in `navigation.ts`.
 */
export const routes = root.addChildren([
  before,
  organization.addChildren([
    home,
    softphone,
    agents,
    agent,
    agentTemplates,
    ...integrationRoutes,
    knowledge,
    knowledgeBase,
    channels,
    channel,
    instagram,
    inbox,
    campaigns,
    campaign,
    whatsAppCampaigns,
    whatsAppCampaign,
    doNotCall,
    memory,
    apps,
    app,
    appPage,
    analytics,
    numbers,
    live,
    calls,
    call,
    tracks,
    keys,
    webhooks,
    webhook,
    members,
    data,
    billing,
    invoice,
    audit,
    operator,
    security,
  ]),
]);
