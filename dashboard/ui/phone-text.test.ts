import { expect, test } from "vitest";
import { phoneText } from "./phone-text.ts";

test.each([
  ["+12025550143", "+1 202 555 0143"],
  ["+4930901820", "+4930901820"],
  ["anonymous", "anonymous"],
])("%s is shown as %s", (e164, shown) => {
  expect(phoneText(e164)).toBe(shown);
});
