import { describe, expect, it } from "vitest";
import { readPhone } from "./phones.ts";

describe("a number in a list", () => {
  it.each([
    ["+49 (0) 151 12345678", "+4915112345678"],
    ["+44 (0)20 7946 0018", "+442079460018"],
    ["+4402079460018", "+442079460018"],
    ["+81 (0)3-1234-5678", "+81312345678"],
    ["+7 (8) 495 123-45-67", "+74951234567"],
  ])("loses the zero that is dialed inside of its country: %s", (given, number) => {
    expect(readPhone(given)).toBe(number);
  });

  it.each([
    ["of Italy, whose zero is part of the number", "+39 06 1234 5678", "+390612345678"],
    ["of Ivory Coast, likewise", "+225 07 01 23 45 67", "+2250701234567"],
    ["of no country that is known", "+1555-0123", "+15550123"],
    ["that is written as carriers take it", "+12025550123", "+12025550123"],
  ])("stays as it is: one %s", (_which, given, number) => {
    expect(readPhone(given)).toBe(number);
  });
});
