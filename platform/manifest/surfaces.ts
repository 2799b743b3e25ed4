/** Places in the dashboard where an app's page can be embedded. */
export const SLOTS = [
  "call_detail_panel",
  "dashboard_widget",
  "agent_builder_panel",
  "agents_overview_panel",
  "call_list_panel",
  "softphone_call_panel",
  "campaign_targets_panel",
] as const;
export type Slot = (typeof SLOTS)[number];

/** What an app may add to the dashboard's own lists, and which kinds are drawn. */
export const CONTRIBUTION_KINDS = ["list_action", "column", "row_action", "bulk_action"] as const;
export const RENDERED_KINDS: readonly string[] = ["list_action"];
export const CONTRIBUTION_SURFACES = [
  "campaign_targets",
  "campaigns_list",
  "calls_list",
  "agents_list",
] as const;

/** Icons of pages and panels; any other name is drawn as `box`. */
export const ICONS = [
  ...["bell", "book", "box", "briefcase", "calendar", "chart", "clipboard", "clock", "card"],
  ...["file", "heart", "home", "inbox", "grid", "list", "mail", "map", "message", "package"],
  ...["phone", "settings", "cart", "star", "stethoscope", "ticket", "user", "users"],
] as const;

/** The icon drawn for a name. */
export function iconOf(name: string | undefined): string {
  return name !== undefined && (ICONS as readonly string[]).includes(name) ? name : "box";
}
