import { expect, it } from "vitest";
import { segment } from "./read.ts";

it.each([
  ["a/b", "a%2Fb"],
  ["../x", "..%2Fx"],
  ["...", "..."],
  ["x?y#z", "x%3Fy%23z"],
])("%s is one segment of a path", (text, expected) => {
  expect(segment(text)).toBe(expected);
  expect(new URL(`https://vendor.test/v1/${segment(text)}`).pathname).toBe(`/v1/${expected}`);
});

it.each([".", ".."])("%s would lead elsewhere, and is refused", (text) => {
  expect(() => segment(text)).toThrow("is the id of nothing");
});
