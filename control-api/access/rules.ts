import { AppError } from "@parley/shared/errors.ts";
import type { Principal } from "./principal.ts";

/**
 * Who may call a route. Every route declares exactly one; a route without a rule does not start.
 * "read": any key of the organization. "write": not the read-only roles, member and viewer (spec 1,
 * "Authentication", rules 3 and 4).
 */
export type AccessRule =
  | { readonly allow: "public" }
  | { readonly allow: "key"; readonly to: "read" | "write" };

export const PUBLIC: AccessRule = { allow: "public" };
export const READ: AccessRule = { allow: "key", to: "read" };
export const WRITE: AccessRule = { allow: "key", to: "write" };

const READ_ONLY_ROLES: ReadonlySet<Principal["role"]> = new Set(["member", "viewer"]);

/** Throws `AppError` forbidden when the rule refuses the principal; the message names the rule. */
export function assertAllowed(rule: AccessRule, principal: Principal): void {
  if (rule.allow === "public" || rule.to === "read") return;
  if (READ_ONLY_ROLES.has(principal.role)) {
    throw new AppError(
      "forbidden",
      `A key with role ${principal.role} may only read; use a key with role developer, admin or owner.`,
    );
  }
}
