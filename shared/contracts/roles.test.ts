import { describe, expect, it } from "vitest";
import { isAtLeast, PERMISSIONS, permissionsOf, ROLES, rolesWith } from "./roles.ts";

describe("the permissions of a role", () => {
  it("are all of the owner's, and fewer the lower it stands", () => {
    expect(permissionsOf("owner")).toEqual(PERMISSIONS);
    for (const [index, role] of ROLES.slice(1).entries()) {
      const above = permissionsOf(ROLES[index] ?? "owner");
      expect(permissionsOf(role).every((permission) => above.includes(permission))).toBe(true);
      expect(permissionsOf(role).length).toBeLessThan(above.length);
    }
  });

  it("let everybody view, makers of agents make keys, managers manage members, and the owner alone end it", () => {
    expect(rolesWith("view")).toEqual(ROLES);
    expect(rolesWith("manage_agents")).toEqual(["owner", "admin", "developer"]);
    expect(rolesWith("manage_api_keys")).toEqual(["owner", "admin", "developer"]);
    expect(rolesWith("manage_members")).toEqual(["owner", "admin"]);
    expect(rolesWith("manage_org")).toEqual(["owner"]);
    expect(rolesWith("monitor_calls")).toEqual(["owner", "admin", "developer", "member"]);
  });

  it("stand in the order of the roles", () => {
    expect(isAtLeast("owner", "admin")).toBe(true);
    expect(isAtLeast("admin", "admin")).toBe(true);
    expect(isAtLeast("viewer", "member")).toBe(false);
  });
});
