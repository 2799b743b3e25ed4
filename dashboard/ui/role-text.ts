import type { Role } from "@parley/shared/contracts/roles.ts";

/** A role where it stands alone; within a sentence it is written as it is. */
export function roleText(role: Role): string {
  return `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
}
