import { createRoute, redirect } from "@tanstack/react-router";
import { FILTERS, WORD_FILTERS } from "../features/calls/call-query.ts";
import { integrationRoutes } from "./integration-routes.tsx";
import { lazyPage } from "./lazy-page.ts";
import { organization, root, within } from "./organization-route.tsx";
import { PAGES } from "./pages.ts";
import { searchOf } from "./search.ts";

const home = createRoute({
  ...within,
  path: "/",
  // The order of today's agents.
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/"], "HomePage"),
});

const softphone = createRoute({
  ...within,
  path: "/softphone",
  validateSearch: searchOf("to"),
  component: lazyPage(PAGES["/softphone"], "SoftphonePage"),
});

const agents = createRoute({
  ...within,
  path: "/agents",
  validateSearch: searchOf("search", "offset", "create"),
  component: lazyPage(PAGES["/agents"], "AgentsPage"),
});

const agent = createRoute({
  ...within,
  path: "/agents/$id/{-$section}",
  // The call whose path the flow shows, and the order of versions or reports.
  validateSearch: searchOf("call", "sort"),
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/agents/$id/{-$section}"], "AgentPage"),
});

const agentTemplates = createRoute({
  ...within,
  path: "/agents/templates",
  component: lazyPage(PAGES["/agents/templates"], "TemplatesPage"),
});

const knowledge = createRoute({
  ...within,
  path: "/knowledge",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/knowledge"], "KnowledgePage"),
});

const knowledgeBase = createRoute({
  ...within,
  path: "/knowledge/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/knowledge/$id"], "KnowledgeBasePage"),
});

const channels = createRoute({
  ...within,
  path: "/channels",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/channels"], "ChannelsPage"),
});

const channel = createRoute({
  ...within,
  path: "/channels/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/channels/$id"], "ChannelPage"),
});

const instagram = createRoute({
  ...within,
  path: "/instagram",
  component: lazyPage(PAGES["/instagram"], "InstagramPage"),
});

const inbox = createRoute({
  ...within,
  path: "/inbox",
  validateSearch: searchOf("thread"),
  component: lazyPage(PAGES["/inbox"], "InboxPage"),
});

const campaigns = createRoute({
  ...within,
  path: "/campaigns",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/campaigns"], "CampaignsPage"),
});

const campaign = createRoute({
  ...within,
  path: "/campaigns/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/campaigns/$id"], "CampaignPage"),
});

const whatsAppCampaigns = createRoute({
  ...within,
  path: "/whatsapp-campaigns",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/whatsapp-campaigns"], "WhatsAppCampaignsPage"),
});

const whatsAppCampaign = createRoute({
  ...within,
  path: "/whatsapp-campaigns/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/whatsapp-campaigns/$id"], "WhatsAppCampaignPage"),
});

const doNotCall = createRoute({
  ...within,
  path: "/do-not-call",
  validateSearch: searchOf("search", "before"),
  component: lazyPage(PAGES["/do-not-call"], "DoNotCallPage"),
});

const memory = createRoute({
  ...within,
  path: "/memory",
  validateSearch: searchOf("identifier", "agent", "before"),
  component: lazyPage(PAGES["/memory"], "MemoryPage"),
});

const apps = createRoute({
  ...within,
  path: "/apps",
  component: lazyPage(PAGES["/apps"], "AppsPage"),
});

const app = createRoute({
  ...within,
  path: "/apps/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/apps/$id"], "AppSettingsPage"),
});

const appPage = createRoute({
  ...within,
  path: "/apps/$id/pages/$pageId",
  remountDeps: ({ params }) => params,
  component: lazyPage(PAGES["/apps/$id/pages/$pageId"], "AppMenuPage"),
});

const analytics = createRoute({
  ...within,
  path: "/analytics",
  validateSearch: searchOf("days", "agentId", "channel"),
  component: lazyPage(PAGES["/analytics"], "AnalyticsPage"),
});

const numbers = createRoute({
  ...within,
  path: "/numbers",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/numbers"], "NumbersPage"),
});

const live = createRoute({
  ...within,
  path: "/live",
  validateSearch: searchOf("call"),
  component: lazyPage(PAGES["/live"], "LivePage"),
});

const calls = createRoute({
  ...within,
  path: "/calls",
  validateSearch: searchOf(...FILTERS, ...WORD_FILTERS, "before"),
  component: lazyPage(PAGES["/calls"], "CallsPage"),
});

const call = createRoute({
  ...within,
  path: "/calls/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/calls/$id"], "CallPage"),
});

const tracks = createRoute({
  ...within,
  path: "/tracks",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/tracks"], "TracksPage"),
});

const keys = createRoute({
  ...within,
  path: "/keys",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/keys"], "KeysPage"),
});

const webhooks = createRoute({
  ...within,
  path: "/webhooks",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/webhooks"], "WebhooksPage"),
});

const webhook = createRoute({
  ...within,
  path: "/webhooks/$id",
  validateSearch: searchOf("status", "event", "search", "before", "delivery"),
  component: lazyPage(PAGES["/webhooks/$id"], "EndpointPage"),
});

const members = createRoute({
  ...within,
  path: "/members",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/members"], "MembersPage"),
});

const data = createRoute({
  ...within,
  path: "/data",
  component: lazyPage(PAGES["/data"], "DataPage"),
});

const audit = createRoute({
  ...within,
  path: "/audit",
  validateSearch: searchOf("action", "userId", "before"),
  component: lazyPage(PAGES["/audit"], "AuditPage"),
});

const billing = createRoute({
  ...within,
  path: "/billing",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/billing"], "BillingPage"),
});

const invoice = createRoute({
  ...within,
  path: "/billing/invoices/$id",
  remountDeps: ({ params }) => params.id,
  component: lazyPage(PAGES["/billing/invoices/$id"], "InvoicePage"),
});

const operator = createRoute({
  ...within,
  path: "/operator",
  validateSearch: searchOf("search", "before", "sort"),
  component: lazyPage(PAGES["/operator"], "OperatorPage"),
});

const security = createRoute({
  ...within,
  path: "/security",
  validateSearch: searchOf("sort"),
  component: lazyPage(PAGES["/security"], "SecurityPage"),
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
