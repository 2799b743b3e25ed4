import { describe, expect, test } from "vitest";
import { readNumber } from "./phone-number.ts";

const AMERICAN = "+12025550123";
const AUSTRIAN = "+4319346611";

describe("a number somebody typed or pasted", () => {
  test.each([
    ["+1 (202) 555-0143", undefined, "+12025550143"],
    ["(202) 555-0143", AMERICAN, "+12025550143"],
    ["202.555.0143", AMERICAN, "+12025550143"],
    ["tel:+1-202-555-0143", undefined, "+12025550143"],
    ["  +43 1 934 66 11\n", undefined, "+4319346611"],
    ["0043 1 9346611", AMERICAN, "+4319346611"],
    ["01 934 66 11", AUSTRIAN, "+4319346611"],
    ["+43 (0) 1 934 66 11", undefined, "+4319346611"],
    ["＋43 1 9346611", undefined, "+4319346611"],
    ["\u202a+1 202 555 0143\u202c", undefined, "+12025550143"],
  ])("%j called from %s is %s", (typed, own, e164) => {
    expect(readNumber(typed, own)).toMatchObject({ e164 });
  });

  test("keeps an extension apart, which cannot be dialed", () => {
    expect(readNumber("+1 202 555 0143 ext. 12", undefined)).toMatchObject({
      e164: "+12025550143",
      extension: "12",
    });
  });

  test.each([
    ["", undefined, "Type a number"],
    ["555 0143", undefined, "country code"],
    ["call Anna", AMERICAN, "not a telephone number"],
    ["+1 202 55", undefined, "too few or too many digits"],
    ["+1 202 555 0143 9999", undefined, "too few or too many digits"],
  ])("%j from %s is refused with what is wrong", (typed, own, words) => {
    expect(readNumber(typed, own)).toMatchObject({ problem: expect.stringContaining(words) });
  });
});
