import { expect, it } from "vitest";
import { OrgMap } from "./org-map.ts";

it("keeps the values of each organization apart", () => {
  const map = new OrgMap<number>({ perOrg: 2, orgs: 2 });
  map.set("org_1", "a", 1);
  map.set("org_2", "a", 2);
  map.delete("org_1", "a");
  expect([map.get("org_1", "a"), map.get("org_2", "a")]).toEqual([undefined, 2]);
});

it("pushes out the oldest of the organization that has too many, and nothing of another", () => {
  const map = new OrgMap<number>({ perOrg: 2, orgs: 2 });
  map.set("org_1", "a", 1);
  for (const [index, key] of ["a", "b", "a", "c"].entries()) map.set("org_2", key, index);
  expect([map.get("org_2", "a"), map.get("org_2", "b"), map.get("org_2", "c")]).toEqual([2, undefined, 3]);
  expect(map.get("org_1", "a")).toBe(1);
});

it("is bounded in organizations", () => {
  const map = new OrgMap<number>({ perOrg: 2, orgs: 2 });
  for (const orgId of ["org_1", "org_2", "org_1", "org_3"]) map.set(orgId, "a", 0);
  expect(["org_1", "org_2", "org_3"].map((orgId) => map.get(orgId, "a"))).toEqual([0, undefined, 0]);
});
