/** What a member must be allowed to do to call a method, besides the app's own grants. */
export type RoleGate = "none" | "canViewActivity" | "canCommunicate" | "canManageSettings";

/** The signed-in user as gates see them: role and resulting permissions. */
export interface GatedUser {
  readonly role: string | null;
  readonly permissions: readonly string[];
}

const isManager = ({ role }: GatedUser): boolean => role === "owner" || role === "admin";
const canCommunicate = (user: GatedUser): boolean =>
  user.permissions.includes("manage_agents") || isManager(user);

const PASSES: Readonly<Record<RoleGate, (user: GatedUser) => boolean>> = {
  none: () => true,
  canViewActivity: (user) => user.permissions.includes("view") || canCommunicate(user),
  canCommunicate,
  canManageSettings: isManager,
};

/** Whether the user's role passes the gate. */
export function passesGate(gate: RoleGate, user: GatedUser): boolean {
  return PASSES[gate](user);
}
