import { expect, it } from "vitest";
import { OrgShare } from "./org-share.ts";

it("gives all places to an organization that is the only one, until another one asks", () => {
  const share = new OrgShare(10);
  for (let i = 0; i < 10; i++) {
    expect(share.hasRoom("org_1")).toBe(true);
    share.take("org_1");
  }
  expect([share.hasRoom("org_1"), share.hasRoom("org_2")]).toEqual([false, false]);
  share.giveBack("org_1");
  expect([share.hasRoom("org_1"), share.hasRoom("org_2")]).toEqual([false, true]);
});

it("keeps the last tenth of the places for organizations that have few", () => {
  const share = new OrgShare(100);
  share.hasRoom("org_0");
  const fill = (orgId: string): number => {
    let got = 0;
    for (; share.hasRoom(orgId); got++) share.take(orgId);
    return got;
  };
  expect([fill("org_1"), fill("org_2"), fill("org_1"), fill("org_3")]).toEqual([90, 10, 0, 0]);
  share.giveBack("org_1");
  expect([share.hasRoom("org_1"), share.hasRoom("org_3")]).toEqual([false, true]);
});

it("gives an organization no more than one may have, alone or not", () => {
  const share = new OrgShare(10, 2);
  for (const orgId of ["org_1", "org_1", "org_2"]) {
    expect(share.hasRoom(orgId)).toBe(true);
    share.take(orgId);
  }
  expect([share.hasRoom("org_1"), share.hasRoom("org_2")]).toEqual([false, true]);
});

it("has one place of one for anybody", () => {
  const share = new OrgShare(1);
  expect(share.hasRoom("org_1")).toBe(true);
  share.take("org_1");
  expect(share.hasRoom("org_2")).toBe(false);
  share.giveBack("org_1");
  expect(share.hasRoom("org_2")).toBe(true);
});
