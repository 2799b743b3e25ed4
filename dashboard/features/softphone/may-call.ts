import type { Here } from "../../api/use-session.ts";

/** Roles that may make calls (members and viewers only read). */
const CALLERS: readonly string[] = ["owner", "admin", "developer"];

/** Whether the person has a softphone in the organization, and so hears calls ring. */
export function mayCall({ org }: Pick<Here, "org">): boolean {
  return CALLERS.includes(org.role);
}
