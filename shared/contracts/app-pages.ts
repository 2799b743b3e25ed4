/**
 * The paths of the dashboard's pages, each including everything below it. The control API answers them with the
 * dashboard's page; the dashboard decides what to show there (`dashboard/app/routes.tsx`).
 */
export const APP_PAGES = [
  "/agents",
  "/analytics",
  "/apps",
  "/audit",
  "/billing",
  "/calls",
  "/campaigns",
  "/channels",
  "/data",
  "/do-not-call",
  "/inbox",
  "/instagram",
  "/integrations",
  "/keys",
  "/knowledge",
  "/live",
  "/members",
  "/memory",
  "/numbers",
  "/operator",
  "/security",
  // Former location of all settings pages.
  "/settings",
  "/softphone",
  "/tracks",
  "/webhooks",
  "/whatsapp-campaigns",
] as const;
