/** Roles of an organization's members and keys. */
export const ROLES = ["owner", "admin", "developer", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Permissions that a page or an embedded app may query with `can(…)`. */
export const PERMISSIONS = [
  "view",
  "manage_agents",
  "manage_numbers",
  "manage_members",
  "manage_billing",
  "manage_workplace",
  "monitor_calls",
  "manage_api_keys",
  "manage_recordings",
  "manage_publish",
  "manage_org",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * The one table of who may do what. `manage_org` covers the irreversible: transferring ownership and deleting the
 * organization.
 */
const PERMISSIONS_OF: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS.filter((permission) => permission !== "manage_org"),
  developer: [
    "view",
    "manage_agents",
    "manage_numbers",
    "monitor_calls",
    "manage_api_keys",
    "manage_recordings",
    "manage_publish",
  ],
  member: ["view", "monitor_calls"],
  viewer: ["view"],
};

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS_OF[role];
}

export function rolesWith(permission: Permission): readonly Role[] {
  return ROLES.filter((role) => PERMISSIONS_OF[role].includes(permission));
}

/** True when `role` ranks at least as high as `other`, in the order of `ROLES`. */
export function isAtLeast(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(other);
}
