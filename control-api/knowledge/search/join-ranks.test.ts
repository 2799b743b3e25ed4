import { expect, it } from "vitest";
import { joinRanks } from "./join-ranks.ts";

const keyOf = (entry: string) => entry;
const orderOf = (...lists: string[][]) =>
  joinRanks(lists, { keyOf, weightOf: () => 1 }).map(({ entry }) => entry);

it("what stands in both lists comes before what stands high in one", () => {
  expect(orderOf(["a", "b", "c"], ["d", "c", "e"])).toEqual(["c", "a", "d", "b", "e"]);
});

it("one list stays as it is, and none gives nothing", () => {
  expect(orderOf(["b", "a"], [])).toEqual(["b", "a"]);
  expect(orderOf([], [])).toEqual([]);
});

it("a first place that weighs little comes after a last one that weighs much", () => {
  const lists = [["a"], ["b", "c"]];
  const joined = joinRanks(lists, { keyOf, weightOf: (entry) => (entry === "a" ? 0.25 : 1) });
  expect(joined.map(({ entry }) => entry)).toEqual(["b", "c", "a"]);
});
