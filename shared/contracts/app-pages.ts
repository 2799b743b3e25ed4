/**
 * The addresses of the dashboard's pages, each with all that is below it. The control API answers them with the
 * dashboard's page; what is shown there is the dashboard's business (`dashboard/app/routes.tsx`).
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
  "/integrations",
  "/keys",
  "/knowledge",
  "/live",
  "/members",
  "/memory",
  "/numbers",
  "/security",
  // Where all of them were before.
  "/settings",
  "/softphone",
  "/tracks",
  "/webhooks",
] as const;
