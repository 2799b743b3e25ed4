import { expect, it } from "vitest";
import { isIndexed } from "./search-store.ts";

it.each([
  ["zebra", true],
  ["abc", true],
  ["ab", false],
  ["😀a", false],
  ["😀😀😀", true],
])("looks %j up in the index: %s", (text, indexed) => {
  expect(isIndexed(text)).toBe(indexed);
});
