import { expect, it } from "vitest";
import { OpenStreams } from "./open-streams.ts";

const ada = { orgId: "a", userId: "ada" };
const bob = { orgId: "a", userId: "bob" };

it("counts streams by member and by organization, each for itself", () => {
  const streams = new OpenStreams<number>({ perMember: 2, perOrg: 3 });
  const open = (id: number, whose: { orgId: string; userId: string }): void => {
    streams.assertRoom(whose);
    streams.add(id, whose);
  };
  open(1, ada);
  open(2, ada);
  expect(() => open(3, ada)).toThrow("You have 2 streams");
  open(3, bob);
  expect(() => open(4, { orgId: "a", userId: "cleo" })).toThrow("Your organization has 3 streams");
  open(4, { orgId: "b", userId: "ada" });
  streams.delete(2);
  open(5, ada);
  expect(streams.all()).toEqual([1, 3, 4, 5]);
});
