import { describe, expect, it } from "vitest";
import { isSame, valueAt, withValueAt } from "./json-at.ts";

const root = { a: { b: [{ c: 1 }, { c: 2 }] }, d: "text" };

describe("a value at a path", () => {
  it("is found through objects and lists, and is undefined where there is nothing", () => {
    expect(valueAt(root, "a.b.1.c")).toBe(2);
    expect(valueAt(root, "a.x.1")).toBeUndefined();
    expect(valueAt(root, "a.toString")).toBeUndefined();
  });

  it("is changed in a copy", () => {
    expect(withValueAt(root, "a.b.1.c", 3)).toEqual({ a: { b: [{ c: 1 }, { c: 3 }] }, d: "text" });
    expect(root.a.b[1]?.c).toBe(2);
  });

  it("of undefined takes the field away", () => {
    expect(Object.keys(withValueAt(root, "d", undefined))).toEqual(["a"]);
  });
});

it("the order of fields makes no difference, that of a list does", () => {
  expect(isSame({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(isSame({ a: 1, b: [1, 2] }, { a: 1, b: [2, 1] })).toBe(false);
  expect(isSame({ a: undefined }, {})).toBe(true);
});
