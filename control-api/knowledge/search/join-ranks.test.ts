import { expect, it } from "vitest";
import { joinRanks } from "./join-ranks.ts";

const orderOf = (...lists: string[][]) => joinRanks(lists, (entry) => entry).map(({ entry }) => entry);

it("what stands in both lists comes before what stands high in one", () => {
  expect(orderOf(["a", "b", "c"], ["d", "c", "e"])).toEqual(["c", "a", "d", "b", "e"]);
});

it("one list stays as it is, and none gives nothing", () => {
  expect(orderOf(["b", "a"], [])).toEqual(["b", "a"]);
  expect(orderOf([], [])).toEqual([]);
});
