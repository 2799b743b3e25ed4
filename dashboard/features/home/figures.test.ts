import { expect, it } from "vitest";
import { againstText, delayText, shareText } from "./figures.ts";

it.each([
  [0, 0, "None yesterday by now"],
  [3, 0, "None yesterday by now"],
  [4, 4, "As many as yesterday by now"],
  [150, 100, "50% more than yesterday by now (100)"],
  [900, 1_200, "25% fewer than yesterday by now (1,200)"],
])("%i calls against %i: %s", (now, before, text) => {
  expect(againstText(now, before)).toBe(text);
});

it("what was not measured is a dash, and delays have a unit that can be read", () => {
  expect([null, 0, 820, 1_000, 1_449].map(delayText)).toEqual(["–", "0 ms", "820 ms", "1.0 s", "1.4 s"]);
  expect([shareText(0, 0), shareText(1, 3), shareText(2, 2)]).toEqual(["–", "33%", "100%"]);
});
