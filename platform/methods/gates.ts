/** What a member of the organization must be to call a method, besides what the app was granted. */
export type RoleGate = "none" | "canViewActivity" | "canCommunicate" | "canManageSettings";

/** The signed-in user as gates see them: the role, and the permissions that follow from it. */
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

/** Whether the user's role permits what stands behind the gate. */
export function passesGate(gate: RoleGate, user: GatedUser): boolean {
  return PASSES[gate](user);
}
